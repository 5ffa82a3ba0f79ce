import { basename, join } from 'node:path';
import { isObject, type Json } from '../../model/json.ts';
import { listNames } from '../../platform/files.ts';
import type { SessionTranscripts } from '../agent.ts';
import { field, textOfBlocks } from '../dialect/tools.ts';
import { name, text } from '../dialect/wire.ts';
import { createTranscripts, findSingleFile } from '../transcript-files.ts';
import { readBySteps, type TranscriptStep } from '../transcript-steps.ts';
import { configFolder } from './config-folder.ts';
import { tools } from './tools.ts';

/** Lines are `{ type: "session", id, cwd }`, then `{ type: "message", id, timestamp, message }` and others. */
export const transcripts = createTranscripts({
  folder: (home) => home.variable('PI_CODING_AGENT_SESSION_DIR') ?? join(configFolder(home), 'sessions'),
  findAll,
  ...readBySteps({ tools, readSteps, idOf: (record) => name(field(record, 'id')), callIds: 'all' }),
});

/** `--<folder>--/<time>_<session>.jsonl` */
function findAll(folder: string): SessionTranscripts[] {
  return listNames(folder).flatMap((project) =>
    listNames(join(folder, project)).flatMap((file) => {
      const sessionId = /^[^_]+_(.+)\.jsonl$/.exec(basename(file))?.[1];
      return sessionId === undefined ? [] : [findSingleFile(join(folder, project, file), sessionId)];
    }),
  );
}

function readSteps(record: Json): TranscriptStep[] {
  const type = field(record, 'type');
  const cwd = text(field(record, 'cwd'));
  if (type === 'session' && cwd !== undefined) return [{ kind: 'place', folder: cwd }];
  const message = field(record, 'message');
  if (type !== 'message' || !isObject(message)) return [];
  const { role, content, toolCallId, isError } = message;
  const words = textOfBlocks(content);
  switch (role) {
    case 'user':
      return words === '' ? [] : [{ kind: 'prompt', text: words, origin: 'person' }];
    case 'assistant':
      return [...(words === '' ? [] : [{ kind: 'words', text: words } as const]), ...readCalls(content)];
    case 'toolResult': {
      const outcome = isError === true ? 'failure' : 'success';
      return [{ kind: 'result', id: name(toolCallId) ?? '', outcome, response: words }];
    }
    default:
      return [];
  }
}

function readCalls(content: Json | undefined): TranscriptStep[] {
  const blocks = Array.isArray(content) ? content.filter(isObject) : [];
  return blocks
    .filter(({ type }) => type === 'toolCall')
    .map(({ id, name: tool, arguments: input }) => ({
      kind: 'call',
      id: name(id) ?? '',
      tool: name(tool) ?? 'unknown',
      input: input ?? null,
    }));
}
