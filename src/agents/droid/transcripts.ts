import { join } from 'node:path';
import { isObject, type Json, type JsonObject } from '../../model/json.ts';
import { field, textOfBlocks } from '../dialect/tools.ts';
import { name, text } from '../dialect/wire.ts';
import { createTranscripts, findInProjects } from '../transcript-files.ts';
import { readBySteps, type TranscriptStep } from '../transcript-steps.ts';
import { configFolder } from './config-folder.ts';
import { isTask } from './read-events.ts';
import { tools } from './tools.ts';

/**
 * A session has lines `{ type: "message", id, timestamp, message: { role, content } }` with blocks as in the Messages
 * API. Hooks do not report failed calls and, in headless mode, prompts.
 */
export const transcripts = createTranscripts({
  folder: (home) => join(configFolder(home), 'sessions'),
  findAll: (folder) => findInProjects(folder),
  ...readBySteps({ tools, readSteps, idOf: (record) => name(field(record, 'id')), callIds: 'failures' }),
});

function readSteps(record: Json): TranscriptStep[] {
  if (!isObject(record)) return [];
  const { type, id, cwd, message } = record;
  const folder = text(cwd);
  if (type === 'session_start' && folder !== undefined) return [{ kind: 'place', folder }];
  // Messages shown only to the person, such as the runs of hooks, are not part of the conversation.
  if (type !== 'message' || !isObject(message) || message.visibility === 'user_only') return [];
  const words = wordsOf(message);
  if (message.role === 'assistant')
    return [
      ...(words === '' ? [] : [{ kind: 'words', text: words } as const]),
      ...blocksOf(message, 'tool_use').map(readCall),
    ];
  const results = blocksOf(message, 'tool_result').map(readResult);
  const promptId = name(id);
  // Reminders are separate messages.
  if (results.length > 0 || words === '' || promptId?.startsWith('context-')) return results;
  const origin = isTask(words) ? 'machine' : 'person';
  return [{ kind: 'prompt', text: words, origin, ...(promptId !== undefined && { id: promptId }) }];
}

function readCall({ id, name: tool, input }: JsonObject): TranscriptStep {
  return { kind: 'call', id: name(id) ?? '', tool: name(tool) ?? 'unknown', input: input ?? null };
}

function readResult(result: JsonObject): TranscriptStep {
  const outcome = result.is_error === true ? 'failure' : 'success';
  return { kind: 'result', id: name(result.tool_use_id) ?? '', outcome, response: wordsOf(result) };
}

function blocksOf({ content }: JsonObject, type: string): JsonObject[] {
  return Array.isArray(content) ? content.filter(isObject).filter((block) => block.type === type) : [];
}

function wordsOf(message: JsonObject): string {
  if (typeof message.content === 'string') return message.content;
  return textOfBlocks(blocksOf(message, 'text').filter((block) => !REMINDER.test(text(block.text) ?? '')));
}

const REMINDER = /^\s*<system-(?:reminder|notification)>/;
