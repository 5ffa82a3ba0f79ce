import { dirname, join } from 'node:path';
import { isObject, type Json } from '../../model/json.ts';
import { listEntries } from '../../platform/files.ts';
import type { SessionTranscripts } from '../agent.ts';
import { field } from '../dialect/tools.ts';
import { name, text } from '../dialect/wire.ts';
import { createTranscripts, findSingleFile } from '../transcript-files.ts';
import { readBySteps, type TranscriptStep } from '../transcript-steps.ts';
import { configFolder } from './config-folder.ts';
import { outcomeOf } from './read-events.ts';
import { tools } from './tools.ts';

/** Each session has a folder named after its id; lines are `{ type, data, id, timestamp }`. */
const FILE = 'events.jsonl';

export const transcripts = createTranscripts({
  folder: (home) => join(configFolder(home), 'session-state'),
  findAll,
  findSession: (path, sessionId) => findSingleFile(join(dirname(path), FILE), sessionId),
  ...readBySteps({
    tools,
    readSteps,
    idOf: (record) => name(field(record, 'id')),
    callIds: 'none',
    outcomeOf: (tool, { outcome, response }) => outcomeOf(tool, outcome, text(response) ?? ''),
  }),
});

function findAll(folder: string): SessionTranscripts[] {
  return listEntries(folder)
    .filter((entry) => entry.isDirectory())
    .map((entry) => findSingleFile(join(folder, entry.name, FILE), entry.name))
    .filter(({ files }) => files.length > 0);
}

function readSteps(record: Json): TranscriptStep[] {
  const data = field(record, 'data');
  if (!isObject(data)) return [];
  const { content, toolCallId, toolName, arguments: input } = data;
  const words = text(content);
  const id = name(toolCallId) ?? '';
  // Records of a subagent are in the same file.
  const isOfSubagent = [field(record, 'agentId'), data.parentToolCallId].some((value) => text(value));
  switch (field(record, 'type')) {
    case 'session.start': {
      const folder = text(field(data.context, 'cwd'));
      const branch = text(field(data.context, 'branch'));
      const model = name(data.selectedModel);
      return [
        { kind: 'place', ...(folder !== undefined && { folder }), ...(branch !== undefined && { branch }) },
        { kind: 'start', ...(model !== undefined && { model }) },
      ];
    }
    case 'user.message':
      return words === undefined || isOfSubagent ? [] : [{ kind: 'prompt', text: words, origin: 'person' }];
    case 'assistant.message':
      return words === undefined || isOfSubagent ? [] : [{ kind: 'words', text: words }];
    case 'tool.execution_start':
      return [{ kind: 'call', id, tool: name(toolName) ?? 'unknown', input: input ?? null }];
    case 'tool.execution_complete': {
      const shown = text(field(data.result, 'content'));
      const problem = text(field(data.error, 'message')) ?? text(data.error);
      const outcome = data.success === false ? 'failure' : 'success';
      return [{ kind: 'result', id, outcome, response: shown ?? problem ?? null }];
    }
    case 'session.shutdown':
      return [{ kind: 'end' }];
    default:
      return [];
  }
}
