import { basename, dirname, join } from 'node:path';
import { isObject, type Json } from '../../model/json.ts';
import { listNames } from '../../platform/files.ts';
import { readFirstBytes } from '../../platform/lines.ts';
import type { SessionTranscripts, TranscriptOpening } from '../agent.ts';
import { field } from '../dialect/tools.ts';
import { text } from '../dialect/wire.ts';
import { createTranscripts, fileAt, findSingleFile, toOpening } from '../transcript-files.ts';
import { readBySteps, type TranscriptStep } from '../transcript-steps.ts';
import { tools } from './tools.ts';

const HEAD_BYTES = 256 * 1024;

/**
 * `<trajectory>.jsonl` has lines `{ type, status, <type>: { … } }` with neither a time nor an id, so the time of the
 * file counts. Actions other than changes are skipped, because only their names are documented.
 */
export const transcripts = createTranscripts({
  folder: ({ userHome }) => join(userHome, '.windsurf', 'transcripts'),
  findAll,
  findPath: (folder, sessionId) => fileAt(join(folder, `${sessionId}.jsonl`))?.path,
  readOpening,
  ...readBySteps({
    tools,
    readSteps,
    timeOf: () => undefined,
    timeOfFile,
    idOf: () => undefined,
    callIds: 'none',
  }),
});

function findAll(folder: string): SessionTranscripts[] {
  return listNames(folder)
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => findSingleFile(join(folder, name), basename(name, '.jsonl')));
}

function timeOfFile(path: string): number {
  return fileAt(path)?.changedAt ?? 0;
}

/** The session's folder is not recorded, so it is the folder of the first file that it changed. */
function readOpening(path: string): TranscriptOpening {
  const changed = readFirstBytes(path, HEAD_BYTES)
    .split('\n')
    .find((line) => line.includes('"code_action"'));
  const file = /"path"\s*:\s*"(?:file:\/\/)?(\/[^"\\]+)"/.exec(changed ?? '')?.[1];
  return toOpening(timeOfFile(path), file === undefined ? undefined : dirname(file));
}

function readSteps(record: Json): TranscriptStep[] {
  const type = text(field(record, 'type')) ?? '';
  const step = field(record, type);
  if (!isObject(step)) return [];
  switch (type) {
    case 'user_input': {
      const words = text(step.user_response);
      return words === undefined ? [] : [{ kind: 'prompt', text: words, origin: 'person' }];
    }
    case 'planner_response': {
      const words = text(step.response);
      return words === undefined ? [] : [{ kind: 'words', text: words }];
    }
    case 'code_action': {
      const { path, new_content: content } = step;
      const file_path = text(path)?.replace(/^file:\/\//, '') ?? null;
      const input = { file_path, ...(content !== undefined && { content }) };
      return [{ kind: 'action', tool: 'write_code', input, outcome: 'success', response: null }];
    }
    default:
      return [];
  }
}
