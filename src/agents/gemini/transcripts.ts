import type { ToolOutcome } from '../../model/agent-event.ts';
import { isObject, type Json, type JsonObject } from '../../model/json.ts';
import { field, textOfBlocks } from '../dialect/tools.ts';
import { name } from '../dialect/wire.ts';
import { timeOfRecord } from '../json-lines.ts';
import { createTranscripts } from '../transcript-files.ts';
import { readBySteps, type TranscriptStep } from '../transcript-steps.ts';
import { withoutHookContext } from './read-events.ts';
import { convertResponse, hasFailed } from './tool-results.ts';
import { tools } from './tools.ts';
import { findProjectFolders, findTranscripts, readOpening, transcriptsFolder } from './transcript-files.ts';

/**
 * A chat has a header, messages `{ id, timestamp, type: user | gemini, content, toolCalls? }` and patches `{ $set }`. A
 * message is written again when its calls have ended.
 */
export const transcripts = createTranscripts({
  folder: transcriptsFolder,
  findAll: findTranscripts,
  findProjectFolders,
  readOpening,
  ...readBySteps({ tools, readSteps, idOf: (record) => name(field(record, 'id')), callIds: 'none' }),
});

function readSteps(record: Json): TranscriptStep[] {
  const content = textOfBlocks(field(record, 'content'));
  switch (field(record, 'type')) {
    case 'user': {
      const words = withoutHookContext(content);
      // Empty words come with results of calls; the client also adds a `<session_context>`.
      const isPrompt = words !== '' && !words.startsWith('<session_context>');
      return isPrompt ? [{ kind: 'prompt', text: words, origin: 'person' }] : [];
    }
    case 'gemini': {
      const calls = field(record, 'toolCalls');
      return [
        ...(content === '' ? [] : [{ kind: 'words', text: content } as const]),
        ...(Array.isArray(calls) ? calls.filter(isObject) : []).flatMap(readCall),
      ];
    }
    default:
      return [];
  }
}

const OUTCOMES = new Map<Json | undefined, ToolOutcome>([
  ['success', 'success'],
  ['error', 'failure'],
  ['cancelled', 'refused'],
]);

/** A call, with its result once it has one. */
function readCall(call: JsonObject): TranscriptStep[] {
  const id = name(call.id) ?? '';
  const made: TranscriptStep = {
    kind: 'call',
    id,
    tool: name(call.name) ?? 'unknown',
    input: call.args ?? null,
  };
  const status = OUTCOMES.get(call.status);
  if (status === undefined) return [made];
  const [first] = Array.isArray(call.result) ? call.result : [];
  const llmContent = field(field(field(first, 'functionResponse'), 'response'), 'output') ?? null;
  const result = { llmContent, returnDisplay: call.resultDisplay ?? null };
  const outcome = status === 'success' && hasFailed(result) ? 'failure' : status;
  const at = timeOfRecord(call);
  return [
    made,
    { kind: 'result', id, outcome, response: convertResponse(result), ...(at !== undefined && { at }) },
  ];
}
