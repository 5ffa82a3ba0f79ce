import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { secretShapes } from '../../test/support/secrets.ts';
import { tempFolder } from '../../test/support/temp.ts';
import { readEnvironment } from '../config/environment.ts';
import { loadSettings } from '../config/settings.ts';
import { createLog } from '../platform/log.ts';
import { type Paths, pathsOf } from '../platform/paths.ts';
import { openSqliteStore } from '../store/sqlite/sqlite-store.ts';
import type { Store } from '../store/store.ts';
import { StoreError } from '../store/store-error.ts';
import { readBrokenCapture } from './broken-capture.ts';
import { type IntakeLimits, ingestSpool } from './intake.ts';
import { listSpool, listTornFiles, writeSpoolFile } from './spool.ts';

const NOW = Date.UTC(2026, 10, 15);
const MINUTE = 60_000;

let root: string;
let paths: Paths;
let store: Store;
beforeEach(() => {
  root = tempFolder();
  paths = pathsOf(join(root, 'home'));
  store = openSqliteStore(paths.database);
});
afterEach(() => store.close());

describe('order and batches', () => {
  test('ingests events in order of time, not of file name', () => {
    prompt('third', { at: NOW - 1_000 });
    prompt('first', { at: NOW - 3_000 });
    prompt('second', { at: NOW - 2_000 });
    expect(take()).toEqual({ stored: 3, doubled: 0, setAside: 0, left: 0 });
    expect(prompts()).toEqual(['first', 'second', 'third']);
    expect(listSpool(paths)).toEqual([]);
  });

  test('splits files into batches; the last may be smaller', () => {
    for (let i = 0; i < 5; i++) prompt(`number ${i}`, { at: NOW - i });
    expect(batchSizes({ batchFiles: 2 })).toEqual([2, 2, 1]);
  });

  test('does not split files of the same moment, which are ordered within their batch', () => {
    for (let i = 0; i < 5; i++) prompt(`number ${i}`, { at: NOW - Math.max(0, i - 2) });
    expect(batchSizes({ batchFiles: 1 })).toEqual([1, 1, 3]);
  });

  function batchSizes(limits: IntakeLimits): number[] {
    const sizes: number[] = [];
    const counting: Store = {
      ...store,
      ingest: (files, now) => {
        sizes.push(files.length);
        return store.ingest(files, now);
      },
    };
    take(limits, counting);
    return sizes;
  }

  test('starts no batch after the deadline', () => {
    for (let i = 0; i < 3; i++) prompt(`number ${i}`);
    expect(take({ until: NOW })).toEqual({ stored: 0, doubled: 0, setAside: 0, left: 3 });
    expect(listSpool(paths)).toHaveLength(3);
  });

  test('ingests a single session when limited to it', () => {
    prompt('mine', { session: 'mine' });
    prompt('yours', { session: 'yours' });
    const only = (name: string) => name.startsWith('mine.');
    expect(take({ only })).toEqual({ stored: 1, doubled: 0, setAside: 0, left: 1 });
    expect(prompts()).toEqual(['mine']);
  });
});

describe('exactly-once storage', () => {
  test('a busy store leaves every file in the spool', () => {
    prompt('hello');
    const busy: Store = {
      ...store,
      ingest: () => {
        throw new StoreError('busy', 'busy');
      },
    };
    expect(() => take({}, busy)).toThrow('busy');
    expect(listSpool(paths)).toHaveLength(1);
    expect(take()).toMatchObject({ stored: 1 });
  });

  test('a spool file that reappears after it was stored is not stored twice', () => {
    const name = prompt('hello');
    const copy = join(root, 'copy');
    copyFileSync(join(paths.spool, name), copy);
    take();
    copyFileSync(copy, join(paths.spool, name));
    expect(take()).toEqual({ stored: 0, doubled: 1, setAside: 0, left: 0 });
    expect(prompts()).toEqual(['hello']);
  });
});

describe('a bad file does not stop the others', () => {
  test.each([
    ['text that is not JSON', () => spool('Stop', '{"session_id": "s1"'), 'its payload is not JSON'],
    ['binary data', () => spool('Stop', Buffer.from([0xff, 0x00])), 'its payload is not JSON'],
    ['an unknown agent', () => spool('Stop', '{}', { agent: 'nobody' }), 'there is no agent nobody'],
    ['a truncated file', () => putTorn(2 * MINUTE), 'it was cut off while it was written'],
  ])('%s is set aside', (_name, bad, why) => {
    const name = bad();
    prompt('still here');
    expect(take()).toEqual({ stored: 1, doubled: 0, setAside: 1, left: 0 });
    expect(listTornFiles(paths)).toEqual([name]);
    expect(logged()).toEqual([{ level: 'warn', message: 'spool file set aside', event: name, why }]);
  });

  test('a recent file without an end mark is left alone', () => {
    putTorn(MINUTE / 2);
    prompt('still here');
    expect(take()).toEqual({ stored: 1, doubled: 0, setAside: 0, left: 1 });
    expect(listTornFiles(paths)).toEqual([]);
  });

  test.each([
    ['an unknown event', 'Florp', '{"session_id":"s1"}'],
    ['JSON that is not an object', 'Stop', '[1]'],
    ['the compaction’s nameless subagent', 'SubagentStop', '{"session_id":"s1","agent_type":""}'],
  ])('%s is removed without being stored, but counts as hook activity', (_name, hook, payload) => {
    spool(hook, payload);
    expect(take()).toEqual({ stored: 0, doubled: 0, setAside: 0, left: 0 });
    expect(listSpool(paths)).toEqual([]);
    expect(store.listHookActivity()).toMatchObject([
      { agent: 'claude-code', hook, via: 'settings', count: 1 },
    ]);
  });
});

test('records the names of unknown fields, at most 20 per payload and never their values', () => {
  const secret = `ghp_${'a1B2'.repeat(9)}`;
  const odd = Object.fromEntries(Array.from({ length: 40 }, (_, number) => [`field_${number}`, number]));
  spool('Stop', JSON.stringify({ session_id: 's1', brand_new: 'text', 'two words': 1, [secret]: 1 }));
  spool('Stop', JSON.stringify({ session_id: 's1', brand_new: 'again', prompt_id: 'p' }));
  spool('Florp', JSON.stringify({ session_id: 's1', ...odd }));
  take();
  const known = store.listUnknownFields();
  expect(known.filter(({ hook }) => hook === 'Stop')).toEqual([
    { agent: 'claude-code', hook: 'Stop', name: 'brand_new' },
  ]);
  expect(known.filter(({ hook }) => hook === 'Florp')).toHaveLength(20);
});

describe('a hook with empty input', () => {
  test.each(['', ' \r\n'])('marks capture as broken for a day after the second input of %j', (payload) => {
    spool('Stop', payload, { at: NOW - 5_000 });
    expect(take()).toEqual({ stored: 0, doubled: 0, setAside: 0, left: 0 });
    expect(readBrokenCapture(paths, NOW)).toBeNull();
    spool('Stop', payload, { at: NOW - 4_000 });
    take();
    expect(readBrokenCapture(paths, NOW)).toEqual({ agent: 'claude-code', hook: 'Stop', at: NOW - 4_000 });
    expect(readBrokenCapture(paths, NOW + 86_400_000)).toBeNull();
  });

  test.each([
    ['is cleared by a later event of the same hook', 'Stop', NOW - 1_000, false],
    ['is not cleared by an earlier event of the same hook', 'Stop', NOW - 9_000, true],
    ['is cleared by a later event of another hook', 'SessionEnd', NOW - 1_000, false],
  ])('the mark %s', (_name, hook, at, stillBroken) => {
    for (const offset of [6_000, 5_000]) {
      spool('Stop', '', { at: NOW - offset });
      take();
    }
    spool(hook, '{"session_id":"s1"}', { at });
    take();
    expect(readBrokenCapture(paths, NOW) !== null).toBe(stillBroken);
  });
});

describe('the project of a session', () => {
  test('is found from the agent’s project directory before the cwd, which may change', () => {
    for (const name of ['orchard', 'elsewhere']) repository(name);
    spool('Stop', JSON.stringify({ session_id: 's1', cwd: join(root, 'elsewhere') }), {
      projectDir: join(root, 'orchard'),
    });
    spool('Stop', JSON.stringify({ session_id: 's2', cwd: join(root, 'elsewhere') }));
    spool('Stop', JSON.stringify({ session_id: 's3' }));
    take();
    expect(sessions().map(({ agentSession, project }) => [agentSession, project])).toEqual([
      ['s1', 'orchard'],
      ['s2', 'elsewhere'],
      ['s3', ''],
    ]);
  });
});

describe('stored text', () => {
  test.each([
    ["keeps a person's prompt", 'continue', 'person'],
    [
      'keeps a notification as a machine prompt',
      '<task-notification>\n<task-id>1</task-id>\n</task-notification>',
      'machine',
    ],
  ])('%s', (_name, text, origin) => {
    prompt(text);
    take();
    expect(store.listSessionEvents(1).prompts).toMatchObject([{ number: 1, text, origin, isPrivate: false }]);
  });

  test('keeps only the number of a wholly private prompt, and nothing from its turn', () => {
    const turn = { session_id: 's1', prompt_id: 'p1' };
    spool('UserPromptSubmit', JSON.stringify({ ...turn, prompt: ' <private>the code is 4711</private> ' }));
    spool(
      'PostToolUse',
      JSON.stringify({ ...turn, tool_name: 'Bash', tool_input: { command: 'echo 4711' } }),
    );
    spool('Stop', JSON.stringify({ ...turn, last_assistant_message: 'It is 4711.' }));
    spool('UserPromptSubmit', JSON.stringify({ session_id: 's1', prompt_id: 'p2', prompt: 'and now?' }));
    spool('Stop', JSON.stringify({ session_id: 's1', prompt_id: 'p2', last_assistant_message: 'Now tea.' }));
    take();
    const { prompts: kept, events } = store.listSessionEvents(1);
    expect(kept.map(({ number, text, isPrivate }) => ({ number, text, isPrivate }))).toEqual([
      { number: 1, text: '', isPrivate: true },
      { number: 2, text: 'and now?', isPrivate: false },
    ]);
    expect(events.map(({ kind, text }) => [kind, text])).toEqual([['turn-end', 'Now tea.']]);
    expect(bytesIn(paths.home)).not.toContain('4711');
  });

  test('never contains secrets, in the database or the log', () => {
    const [shape] = secretShapes;
    const secret = shape?.secret ?? '';
    spool('PostToolUse', JSON.stringify({ session_id: 's1', tool_name: 'Bash', tool_response: shape?.text }));
    spool('Stop', `{"broken": "${secret}"`);
    take();
    expect(listTornFiles(paths)).toHaveLength(1);
    expect(bytesIn(join(paths.home, 'cairn.db')) + bytesIn(`${paths.database}-wal`)).not.toContain(secret);
    expect(bytesIn(paths.logs)).not.toContain(secret);
  });

  test('has low priority for the tools in capture.metaTools', () => {
    writeFileSync(paths.config, '{"capture.metaTools": ["mcp__notes__add"]}');
    for (const tool of ['mcp__notes__add', 'mcp__other__tool'])
      spool('PostToolUse', JSON.stringify({ session_id: 's1', tool_name: tool, tool_use_id: tool }));
    take();
    expect(store.listSessionEvents(1).events.map(({ tool, priority }) => [tool, priority])).toEqual([
      ['mcp__notes__add', 'low'],
      ['mcp__other__tool', 'normal'],
    ]);
  });
});

function take(limits: IntakeLimits = {}, into = store) {
  const { settings } = loadSettings(paths.config, readEnvironment({}));
  const log = createLog({ folder: paths.logs, from: 'test', now: () => NOW });
  return ingestSpool({ paths, store: into, settings, log, now: () => NOW }, limits);
}

let serial = 0;

interface Spooled {
  agent?: string;
  session?: string;
  projectDir?: string;
  at?: number;
}

function spool(
  hook: string,
  payload: string | Uint8Array,
  { agent, session, projectDir, at }: Spooled = {},
): string {
  const header = { agent: agent ?? 'claude-code', hook, via: 'settings', ...(projectDir && { projectDir }) };
  const name = writeSpoolFile(paths, header, session ?? 's1', Buffer.from(payload));
  const seconds = (at ?? NOW - MINUTE + serial++) / 1000;
  utimesSync(join(paths.spool, name), seconds, seconds);
  return name;
}

function prompt(text: string, options: Spooled = {}): string {
  const payload = JSON.stringify({ session_id: options.session ?? 's1', prompt: text });
  return spool('UserPromptSubmit', payload, options);
}

function putTorn(old: number): string {
  const seconds = (NOW - old) / 1000;
  mkdirSync(paths.spool, { recursive: true });
  writeFileSync(join(paths.spool, 's1.torn'), 'cairn1 claude-code Stop settings \n{"session_id"');
  utimesSync(join(paths.spool, 's1.torn'), seconds, seconds);
  return 's1.torn';
}

function repository(name: string): void {
  execFileSync('git', ['init', '-q', join(root, name)]);
}

function sessions() {
  return store.listRecentSessions({ limit: 10 }).sort((a, b) => a.id - b.id);
}

function prompts(): string[] {
  return sessions().flatMap(({ id }) => store.listSessionEvents(id).prompts.map(({ text }) => text));
}

function logged(): Record<string, unknown>[] {
  return readdirSync(paths.logs).flatMap((name) =>
    readFileSync(join(paths.logs, name), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => {
        const { time: _time, from: _from, pid: _pid, ...rest } = JSON.parse(line);
        return rest;
      }),
  );
}

/** All bytes below a path as one text, to check for texts that must not be stored. */
function bytesIn(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return readdirSync(path)
      .map((name) => bytesIn(join(path, name)))
      .join('');
  }
}
