import { join } from 'node:path';
import { isObject, type Json, parseJson } from '../../model/json.ts';
import { listNames } from '../../platform/files.ts';
import { CONFIG_LIMIT, readRegularText } from '../../platform/read-regular-file.ts';
import type { SessionTranscripts, TranscriptOpening } from '../agent.ts';
import { field } from '../dialect/tools.ts';
import { milliseconds, name, text } from '../dialect/wire.ts';
import { jsonList } from '../json-list.ts';
import { createTranscripts, fileAt, findSingleFile, toOpening } from '../transcript-files.ts';
import { readBySteps, type TranscriptStep } from '../transcript-steps.ts';
import { dataFolder } from './config-folder.ts';
import { splitCall, splitResult, tools } from './tools.ts';
import { readUserInput } from './user-input.ts';

/**
 * A session has a folder named after its id: `<id>.json` has its working folder, `<id>.messages.json` its messages,
 * with blocks as in the Messages API.
 */
export const transcripts = createTranscripts({
  ...jsonList('messages'),
  folder: (home) => join(dataFolder(home), 'sessions'),
  findAll,
  findPath: (folder, id) => fileAt(pathOf(folder, id))?.path,
  readOpening,
  ...readBySteps({
    tools,
    readSteps,
    timeOf: (record) => milliseconds(field(record, 'ts')),
    idOf: (record) => name(field(record, 'id')),
    callIds: 'all',
  }),
});

function findAll(folder: string): SessionTranscripts[] {
  return listNames(folder)
    .map((id) => findSingleFile(pathOf(folder, id), id))
    .filter(({ files }) => files.length > 0);
}

function pathOf(folder: string, id: string): string {
  return join(folder, id, `${id}.messages.json`);
}

function readOpening(path: string): TranscriptOpening {
  const about = path.replace(/\.messages\.json$/, '.json');
  const session = parseJson(readRegularText(about, CONFIG_LIMIT) ?? '');
  return toOpening(Date.parse(text(field(session, 'started_at')) ?? ''), text(field(session, 'cwd')));
}

function readSteps(record: Json): TranscriptStep[] {
  const content = field(record, 'content');
  const blocks = Array.isArray(content) ? content.filter(isObject) : [];
  const isPerson = field(record, 'role') === 'user';
  return blocks.flatMap((block): TranscriptStep[] => {
    const words = text(block.text);
    const tool = name(block.name) ?? 'unknown';
    switch (block.type) {
      case 'text':
        if (words === undefined) return [];
        return isPerson ? readPrompt(words) : [{ kind: 'words', text: words }];
      case 'tool_use':
        return splitCall(tool, name(block.id) ?? '', block.input ?? null).map((part) => ({
          kind: 'call',
          tool,
          ...part,
        }));
      case 'tool_result':
        return splitResult(
          tool,
          name(block.tool_use_id) ?? '',
          block.content ?? null,
          block.is_error === true,
        ).map((part) => ({ kind: 'result', ...part }));
      default:
        return [];
    }
  });
}

/** Messages of the client itself have other tags or none. */
function readPrompt(words: string): TranscriptStep[] {
  const typed = readUserInput(words);
  return typed ? [{ kind: 'prompt', text: typed.text, origin: 'person' }] : [];
}
