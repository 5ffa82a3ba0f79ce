import { dirname, isAbsolute, join } from 'node:path';
import { isObject, type Json, type JsonObject } from '../../model/json.ts';
import { UnreadableDatabase } from '../../platform/other-database.ts';
import type { AgentHome, SessionTranscripts, Transcripts } from '../agent.ts';
import { field } from '../dialect/tools.ts';
import { milliseconds, name, text } from '../dialect/wire.ts';
import { groupBySession, toOpening } from '../transcript-files.ts';
import { readBySteps, type TranscriptStep } from '../transcript-steps.ts';
import { outcomeOfError, outcomeOfResult, typedText } from './message-parts.ts';
import {
  isMessageStart,
  listSessions,
  readMessages,
  readSession,
  type SessionRow,
  toFile,
} from './session-database.ts';
import { tools } from './tools.ts';

/** The sessions of an agent of this family. `variable`: the environment variable for another database. */
export function createOpenCodeTranscripts(program: string, variable: string): Transcripts {
  return {
    folder: (home) => findDatabase(home, program, variable),
    findAll: (database) => toTranscripts(database, listSessions(database)),
    findProjectFolders: (database) => [...new Set(listIfReadable(database).map(({ folder }) => folder))],
    findSession(path, sessionId) {
      const [found = { sessionId, files: [] }] = toTranscripts(dirname(path), readSession(path));
      return found;
    },
    findPath: (database, id) => listIfReadable(database, id).map((row) => toFile(database, row).path)[0],
    readOpening(path) {
      const [row] = readSession(path);
      return toOpening(row?.createdAt, row?.folder);
    },
    readRecords: readMessages,
    isRecordStart: isMessageStart,
    ...readBySteps({
      tools,
      readSteps,
      timeOf: (record) => milliseconds(field(record, 'at')),
      idOf: (record) => name(field(record, 'id')),
      callIds: 'all',
    }),
  };
}

/** `<data folder>/<program>.db`, or the value of the variable: a path, or a name in that folder. */
function findDatabase({ userHome, variable }: AgentHome, program: string, chosen: string): string {
  const folder = join(variable('XDG_DATA_HOME') ?? join(userHome, '.local/share'), program);
  const path = variable(chosen) ?? `${program}.db`;
  return isAbsolute(path) ? path : join(folder, path);
}

function toTranscripts(database: string, rows: SessionRow[]): SessionTranscripts[] {
  return groupBySession(rows.map((row) => ({ sessionId: row.root, file: toFile(database, row) })));
}

/** For callers that can continue without the sessions. */
function listIfReadable(database: string, id?: string): SessionRow[] {
  try {
    return listSessions(database, id);
  } catch (error) {
    if (error instanceof UnreadableDatabase) return [];
    throw error;
  }
}

function readSteps(record: Json): TranscriptStep[] {
  const message = field(record, 'message');
  const parts = field(record, 'parts');
  if (field(message, 'role') === 'user') {
    const words = typedText(parts);
    return words === '' ? [] : [{ kind: 'prompt', text: words, origin: 'person' }];
  }
  // The summary of a compaction is for the model.
  if (field(message, 'role') !== 'assistant' || field(message, 'summary') === true) return [];
  return (Array.isArray(parts) ? parts : []).filter(isObject).flatMap(readPart);
}

function readPart({ type, text: value, synthetic, tool, callID, state }: JsonObject): TranscriptStep[] {
  const words = text(value);
  if (type === 'text' && words !== undefined && words !== '' && synthetic !== true)
    return [{ kind: 'words', text: words }];
  const id = name(callID);
  if (type !== 'tool' || id === undefined) return [];
  const call = {
    kind: 'call',
    id,
    tool: name(tool) ?? 'unknown',
    input: field(state, 'input') ?? null,
  } as const;
  return [call, ...readResult(id, state)];
}

/** Returns no step while the call is running. */
function readResult(id: string, state: Json | undefined): TranscriptStep[] {
  const ended = milliseconds(field(field(state, 'time'), 'end'));
  const at = ended === undefined ? {} : { at: ended };
  const error = text(field(state, 'error')) ?? '';
  switch (field(state, 'status')) {
    case 'completed': {
      const outcome = outcomeOfResult(field(state, 'metadata'));
      return [{ kind: 'result', id, outcome, response: field(state, 'output') ?? null, ...at }];
    }
    case 'error':
      return [{ kind: 'result', id, outcome: outcomeOfError(error), response: error, ...at }];
    default:
      return [];
  }
}
