import { basename, dirname, join } from 'node:path';
import type { ToolOutcome } from '../../model/agent-event.ts';
import { isObject, type Json, parseJson } from '../../model/json.ts';
import { listNames } from '../../platform/files.ts';
import { CONFIG_LIMIT, readRegularText } from '../../platform/read-regular-file.ts';
import type { SessionTranscripts, TranscriptOpening, TranscriptRecord } from '../agent.ts';
import { field, textOfBlocks } from '../dialect/tools.ts';
import { name, text } from '../dialect/wire.ts';
import { jsonList } from '../json-list.ts';
import { createTranscripts, fileAt, findSingleFile, toOpening } from '../transcript-files.ts';
import { readBySteps, type TranscriptStep } from '../transcript-steps.ts';
import { configFolder } from './config-folder.ts';
import { tools } from './tools.ts';

const LIST = 'sessions.json';
const history = jsonList('history');

/**
 * `<session>.json` has `{ title, workspaceDirectory, history: [{ message, toolCallStates }] }`; the CLI and the editor
 * extensions rewrite it each time. `sessions.json` has the start time of each session. Messages have neither a time nor
 * an id, so the time of the file counts.
 */
export const transcripts = createTranscripts({
  ...history,
  readRecords: readNumbered,
  folder: (home) => join(configFolder(home), 'sessions'),
  findAll,
  findPath: (folder, sessionId) => fileAt(join(folder, `${sessionId}.json`))?.path,
  readOpening,
  ...readBySteps({
    tools,
    readSteps,
    timeOf: () => undefined,
    timeOfFile: (path) => fileAt(path)?.changedAt ?? 0,
    idOf: (record) => name(field(record, 'number')),
    callIds: 'all',
  }),
});

function findAll(folder: string): SessionTranscripts[] {
  return listNames(folder)
    .filter((file) => file.endsWith('.json') && file !== LIST)
    .map((file) => findSingleFile(join(folder, file), basename(file, '.json')));
}

/** Numbers messages, because a new title changes the offsets of everything after it. */
function* readNumbered(path: string, offset: number): Generator<TranscriptRecord> {
  let number = 0;
  for (const record of history.readRecords(path, 0)) {
    number += 1;
    if (record.start < offset) continue;
    if (!('value' in record) || !isObject(record.value)) yield record;
    else yield { ...record, value: { ...record.value, number: `${basename(path, '.json')}.${number}` } };
  }
}

function readOpening(path: string): TranscriptOpening {
  const known = parseJson(readRegularText(join(dirname(path), LIST), CONFIG_LIMIT) ?? '');
  const listed = (Array.isArray(known) ? known : []).find(
    (session) => field(session, 'sessionId') === basename(path, '.json'),
  );
  const session = parseJson(readRegularText(path, CONFIG_LIMIT) ?? '');
  const folder = text(field(session, 'workspaceDirectory')) || text(field(listed, 'workspaceDirectory'));
  return toOpening(Number(field(listed, 'dateCreated') ?? Number.NaN), folder && toPath(folder));
}

/** Editors write a URL: `file:///home/me/project`. Hooks load this file, and node:url would cost them time. */
function toPath(folder: string): string | undefined {
  if (!folder.startsWith('file:')) return folder;
  try {
    return decodeURIComponent(new URL(folder).pathname).replace(/^\/(?=[A-Za-z]:)/, '');
  } catch {
    return undefined;
  }
}

function readSteps(record: Json): TranscriptStep[] {
  const message = field(record, 'message');
  const words = textOfBlocks(field(message, 'content')).trim();
  const role = field(message, 'role');
  if (role === 'user') return words === '' ? [] : [{ kind: 'prompt', text: words, origin: 'person' }];
  if (role !== 'assistant') return [];
  const states = field(record, 'toolCallStates');
  return [
    ...(words === '' ? [] : [{ kind: 'words', text: words } as const]),
    ...(Array.isArray(states) ? states : []).flatMap(readCall),
  ];
}

/** A call that is still running has no outcome yet. */
const OUTCOMES: Readonly<Record<string, ToolOutcome>> = { done: 'success', errored: 'failure' };

function readCall(state: Json): TranscriptStep[] {
  const called = field(field(state, 'toolCall'), 'function');
  const id = name(field(state, 'toolCallId'));
  const outcome = OUTCOMES[text(field(state, 'status')) ?? ''];
  if (id === undefined || outcome === undefined) return [];
  const output = field(state, 'output');
  const response = (Array.isArray(output) ? output : []).flatMap(
    (item) => text(field(item, 'content')) ?? [],
  );
  return [
    { kind: 'call', id, tool: name(field(called, 'name')) ?? 'unknown', input: readInput(state, called) },
    { kind: 'result', id, outcome, response: response.join('\n') },
  ];
}

function readInput(state: Json, called: Json | undefined): Json {
  return field(state, 'parsedArgs') ?? parseJson(text(field(called, 'arguments')) ?? '') ?? null;
}
