import { join } from 'node:path';
import { isObject, type Json, type JsonObject, parseJson } from '../../model/json.ts';
import { listNames } from '../../platform/files.ts';
import { CONFIG_LIMIT, readRegularText } from '../../platform/read-regular-file.ts';
import type { SessionTranscripts, TranscriptOpening } from '../agent.ts';
import { field, textOfBlocks } from '../dialect/tools.ts';
import { milliseconds, name, text } from '../dialect/wire.ts';
import { createTranscripts, fileAt, findSingleFile, toOpening } from '../transcript-files.ts';
import { readBySteps, type TranscriptStep } from '../transcript-steps.ts';
import { configFolder } from './config-folder.ts';
import { tools } from './tools.ts';

/**
 * A session is `<working folder>/<session>/agents/main/wire.jsonl`. Of its lines `{ type, time, … }`, prompts
 * (`turn.prompt`) and the agent's steps (`context.append_loop_event`) matter. `state.json` has the working folder.
 */
export const transcripts = createTranscripts({
  folder: (home) => join(configFolder(home), 'sessions'),
  findAll,
  findPath: (folder, sessionId) =>
    listNames(folder)
      .map((project) => pathOf(join(folder, project, sessionId)))
      .find((path) => fileAt(path)),
  readOpening,
  ...readBySteps({
    tools,
    readSteps,
    timeOf: (record) => milliseconds(field(record, 'time')),
    idOf: (record) => name(field(field(record, 'event'), 'uuid')) ?? name(field(record, 'promptId')),
    callIds: 'all',
  }),
});

function findAll(folder: string): SessionTranscripts[] {
  return listNames(folder)
    .flatMap((project) =>
      listNames(join(folder, project)).map((id) => findSingleFile(pathOf(join(folder, project, id)), id)),
    )
    .filter(({ files }) => files.length > 0);
}

/** Each agent of a session has a folder; `main` is the session's own. */
function pathOf(sessionFolder: string): string {
  return join(sessionFolder, 'agents', 'main', 'wire.jsonl');
}

function readOpening(path: string): TranscriptOpening {
  const state = parseJson(readRegularText(join(path, '../../../state.json'), CONFIG_LIMIT) ?? '');
  return toOpening(milliseconds(field(state, 'createdAt')), text(field(state, 'cwd')));
}

function readSteps(record: Json): TranscriptStep[] {
  if (!isObject(record)) return [];
  const { type, input, origin, event } = record;
  if (type === 'turn.prompt') {
    const sender = field(origin, 'kind') === 'user' ? 'person' : 'machine';
    const words = textOfBlocks(input);
    return words === '' ? [] : [{ kind: 'prompt', text: words, origin: sender }];
  }
  return type === 'context.append_loop_event' && isObject(event) ? readLoopEvent(event) : [];
}

function readLoopEvent({ type, toolCallId, name: tool, args, result, part }: JsonObject): TranscriptStep[] {
  const id = name(toolCallId) ?? '';
  const words = field(part, 'type') === 'text' ? text(field(part, 'text')) : undefined;
  switch (type) {
    case 'content.part':
      return words === undefined ? [] : [{ kind: 'words', text: words }];
    case 'tool.call':
      return [{ kind: 'call', id, tool: name(tool) ?? 'unknown', input: args ?? null }];
    case 'tool.result': {
      const outcome = field(result, 'isError') === true ? 'failure' : 'success';
      return [{ kind: 'result', id, outcome, response: field(result, 'output') ?? null }];
    }
    default:
      return [];
  }
}
