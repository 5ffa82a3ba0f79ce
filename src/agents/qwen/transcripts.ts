import { join } from 'node:path';
import type { ToolOutcome } from '../../model/agent-event.ts';
import { isObject, type Json, type JsonObject } from '../../model/json.ts';
import { field, textOfBlocks } from '../dialect/tools.ts';
import { name, text } from '../dialect/wire.ts';
import { convertResponse } from '../gemini/tool-results.ts';
import { createTranscripts, findInProjects } from '../transcript-files.ts';
import { readBySteps, type TranscriptStep } from '../transcript-steps.ts';
import { configFolder } from './config-folder.ts';
import { tools } from './tools.ts';

/** A chat has lines `{ uuid, timestamp, cwd, type: user | assistant | tool_result | system, message: { parts } }`. */
export const transcripts = createTranscripts({
  folder: (home) => join(configFolder(home), 'projects'),
  findAll: (folder) => findInProjects(folder, 'chats'),
  ...readBySteps({ tools, readSteps, idOf: (record) => name(field(record, 'uuid')), callIds: 'all' }),
});

function readSteps(record: Json): TranscriptStep[] {
  if (!isObject(record)) return [];
  const folder = text(record.cwd);
  return [...(folder === undefined ? [] : [{ kind: 'place', folder } as const]), ...readMessage(record)];
}

function readMessage(record: JsonObject): TranscriptStep[] {
  const parts = field(record.message, 'parts');
  const visible = Array.isArray(parts) ? parts.filter((part) => field(part, 'thought') !== true) : [];
  const words = textOfBlocks(visible);
  switch (record.type) {
    case 'user': {
      const byPerson = record.provenance === undefined || record.provenance === 'real_user';
      return words === '' ? [] : [{ kind: 'prompt', text: words, origin: byPerson ? 'person' : 'machine' }];
    }
    case 'assistant':
      return [
        ...(words === '' ? [] : [{ kind: 'words', text: words } as const]),
        ...visible.flatMap((part) => readCall(field(part, 'functionCall'))),
      ];
    case 'tool_result':
      return visible.flatMap((part) => readResult(field(part, 'functionResponse'), record.toolCallResult));
    default:
      return [];
  }
}

function readCall(call: Json | undefined): TranscriptStep[] {
  if (!isObject(call)) return [];
  const { id, name: tool, args } = call;
  return [{ kind: 'call', id: name(id) ?? '', tool: name(tool) ?? 'unknown', input: args ?? null }];
}

const OUTCOMES = new Map<Json | undefined, ToolOutcome>([
  ['error', 'failure'],
  ['cancelled', 'refused'],
]);

function readResult(result: Json | undefined, report: Json | undefined): TranscriptStep[] {
  if (!isObject(result)) return [];
  const llmContent = field(result.response, 'output') ?? field(result.response, 'error') ?? null;
  const response = convertResponse({ llmContent, returnDisplay: field(report, 'resultDisplay') ?? null });
  const outcome = OUTCOMES.get(field(report, 'status')) ?? 'success';
  return [{ kind: 'result', id: name(result.id) ?? '', outcome, response }];
}
