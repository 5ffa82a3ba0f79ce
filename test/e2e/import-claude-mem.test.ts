import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findPlace } from '../../src/capture/place.ts';
import { type Database, openUnchecked } from '../../src/store/sqlite/open.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import type { Store } from '../../src/store/store.ts';
import { makeRepository, runCairn } from '../support/run-cairn.ts';
import { tempFolder } from '../support/temp.ts';

const SCHEMA = readFileSync(new URL('../support/claude-mem-13.sql', import.meta.url), 'utf8');
const AT = 1_760_000_000_000;
const SESSION = '0b6f0c56-2f5c-4c43-9a53-0c2f7f0e6a11';

let home: string;
let orchard: string;
let source: string;
let theirs: Database | undefined;

beforeEach(() => {
  home = tempFolder();
  orchard = makeRepository(join(home, 'code/orchard'));
  mkdirSync(join(home, '.claude-mem'));
  source = join(home, '.claude-mem/claude-mem.db');
});

afterEach(() => {
  theirs?.close();
  theirs = undefined;
});

test('observations, summaries and prompts are imported once, while claude-mem is running', () => {
  fill();
  const before = readFileSync(source);
  expect(cairn('--dry-run')).toEqual({
    exitCode: 0,
    stdout: '4 memories and 2 prompts would be imported. Nothing was stored.\n',
    stderr: 'Skipped observations 4: it is empty.\n',
  });
  expect(existsSync(join(home, '.cairn'))).toBe(false);
  expect(cairn()).toMatchObject({ exitCode: 0, stdout: 'Imported 4 memories and 2 prompts.\n' });
  expect(memories()).toEqual([
    {
      key: `claude-mem:observations:1@${AT + 1}`,
      kind: 'observation',
      type: 'gotcha',
      title: 'Wasps come in September',
      subtitle: 'Pick before',
      narrative: 'They are after the plums. The key is [redacted:github-token] and [private] too.',
      facts: ['Traps help'],
      concepts: ['gotcha', 'harvest'],
      aliases: [],
      parts: null,
      scope: 'project',
      supersededBy: null,
      strength: 1,
      saidBy: 'distiller',
      distiller: 'claude-mem a-model',
      at: AT + 1,
      pinnedAt: null,
      editedAt: null,
      mergedAt: null,
      project: { name: 'orchard', path: findPlace(orchard).path },
      session: { agent: 'claude-code', id: SESSION },
      prompt: 1,
      branch: null,
      commit: null,
      files: [
        { path: '/etc/hosts', how: 'read', hash: null, symbols: [] },
        { path: 'src/plums.ts', how: 'write', hash: null, symbols: [] },
      ],
    },
    expect.objectContaining({
      title: 'Mown twice',
      type: 'change',
      project: { name: 'meadow', path: 'claude-mem:meadow' },
    }),
    expect.objectContaining({
      title: 'Of a worktree',
      project: { name: 'orchard', path: findPlace(orchard).path },
    }),
    expect.objectContaining({
      key: `claude-mem:session_summaries:1@${AT + 9}`,
      kind: 'summary',
      title: 'When to pick plums?',
      parts: {
        request: 'When to pick plums?',
        investigated: '',
        learned: 'Wasps',
        completed: 'Said it',
        nextSteps: 'Pick them',
        notes: '',
        filesRead: [],
        filesModified: ['src/plums.ts'],
      },
    }),
  ]);
  expect(cairn().stdout).toBe('Nothing new (4 already known).\n');
  expect(inStore((store) => store.countEverything())).toMatchObject({
    memories: 4,
    prompts: 2,
    sessions: 2,
    projects: 2,
  });
  // claude-mem's writes are in its WAL file; the database file itself was not touched.
  expect(readFileSync(source).equals(before)).toBe(true);
});

test('a session in the folder finds the imported memories', () => {
  fill();
  cairn();
  const { stdout } = runCairn({ home, cwd: orchard }, 'search', 'wasps');
  expect(stdout).toContain('Wasps come in September');
});

test('--project imports one project, into the given folder', () => {
  fill();
  const meadow = makeRepository(join(home, 'else/meadow'));
  expect(cairn('--project', meadow).stdout).toBe('Imported 1 memory.\n');
  expect(memories()).toMatchObject([{ title: 'Mown twice', project: { path: findPlace(meadow).path } }]);
});

test('prompts of sessions with a transcript are left to the transcript', () => {
  fill();
  const folder = join(home, '.claude/projects/-code-orchard');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${SESSION}.jsonl`), '{"type":"summary"}\n');
  expect(cairn().stdout).toBe('Imported 4 memories.\n');
});

test('a project is recognised by its name', () => {
  fill();
  const meadow = makeRepository(join(home, 'code/meadow'), 'https://git.example.invalid/meadow.git');
  runCairn({ home, cwd: meadow }, 'remember', 'The meadow is mown in June.');
  cairn();
  expect(memories().filter(({ title }) => title === 'Mown twice')).toMatchObject([
    { project: { name: 'meadow', remote: findPlace(meadow).remote } },
  ]);
});

test('forgotten memories are not imported again', () => {
  fill();
  cairn();
  const [wasps] = inStore((store) => store.listRecentMemories({ limit: 9 })).filter(
    ({ type }) => type === 'gotcha',
  );
  expect(runCairn({ home }, 'forget', String(wasps?.id), '--yes').exitCode).toBe(0);
  expect(cairn().stdout).toBe('Nothing new (3 already known, 1 forgotten earlier and not imported).\n');
});

test('a memory saved by hand becomes a note without a session, and a media prompt is skipped', () => {
  fill();
  theirs?.exec(`
    INSERT INTO sdk_sessions (memory_session_id, content_session_id, project, started_at, started_at_epoch)
    VALUES ('manual-orchard-claude', 'manual-content-orchard-claude', 'orchard', '', ${AT});
    INSERT INTO observations (memory_session_id, project, type, title, subtitle, facts, narrative, concepts, files_read,
      files_modified, content_hash, created_at, created_at_epoch, metadata)
    VALUES ('manual-orchard-claude', 'orchard', 'discovery', 'Watering', 'Manual memory', '[]', 'Never at noon.', '[]',
      '[]', '[]', 'd2ab4c56d3add328', '', ${AT + 7}, '{"obsidian":true}');
    INSERT INTO user_prompts (content_session_id, prompt_number, prompt_text, created_at, created_at_epoch)
    VALUES ('${SESSION}', 4, '[media prompt]', '', ${AT + 8})`);
  expect(cairn().stdout).toBe('Imported 5 memories and 2 prompts.\n');
  expect(memories().filter(({ kind }) => kind === 'note')).toMatchObject([
    { title: 'Watering', narrative: 'Never at noon.', subtitle: '', saidBy: 'agent', session: null },
  ]);
  expect(inStore((store) => store.countEverything())).toMatchObject({ sessions: 2, prompts: 2 });
});

test('a database of the first versions is imported', () => {
  theirs = openUnchecked(source);
  theirs.exec(`
    CREATE TABLE sdk_sessions (
      id INTEGER PRIMARY KEY AUTOINCREMENT, claude_session_id TEXT UNIQUE NOT NULL, sdk_session_id TEXT UNIQUE,
      project TEXT NOT NULL, user_prompt TEXT, started_at TEXT NOT NULL, started_at_epoch INTEGER NOT NULL);
    CREATE TABLE observations (
      id INTEGER PRIMARY KEY AUTOINCREMENT, sdk_session_id TEXT NOT NULL, project TEXT NOT NULL, text TEXT NOT NULL,
      type TEXT NOT NULL, created_at TEXT NOT NULL, created_at_epoch INTEGER NOT NULL);
    INSERT INTO sdk_sessions VALUES (1, '${SESSION}', 'sdk-1', 'orchard', 'Go', '', 1);
    INSERT INTO observations VALUES (1, 'sdk-1', 'orchard', 'Plums are picked in August.', 'decision', '', ${AT})`);
  expect(cairn().stdout).toBe('Imported 1 memory.\n');
  expect(memories()).toMatchObject([
    { title: 'Plums are picked in August', type: 'decision', session: { agent: 'claude-code', id: SESSION } },
  ]);
});

test.each<[string, string[], string]>([
  ['no database', [], '.claude-mem/claude-mem.db does not exist'],
  ['a file that is not a database', ['--db', 'notes.txt'], 'notes.txt cannot be read as a database'],
  ['another database', ['--db', 'other.db'], 'other.db is not a claude-mem database'],
  ['a missing folder', ['--db', 'mem.db', '--project', 'nowhere'], 'nowhere'],
])('%s is an error', (_, args, expected) => {
  writeFileSync(join(home, 'notes.txt'), 'These are notes, and quite a lot of them. '.repeat(50));
  const other = openUnchecked(join(home, 'other.db'));
  other.exec('CREATE TABLE things (id INTEGER)');
  other.close();
  const database = openUnchecked(join(home, 'mem.db'));
  database.exec(SCHEMA);
  database.close();
  const { exitCode, stdout, stderr } = cairn(...args);
  expect({ exitCode, stdout, stderr }).toEqual({
    exitCode: 1,
    stdout: '',
    stderr: expect.stringContaining(expected),
  });
  expect(readdirSync(home)).not.toContain('.cairn');
});

function cairn(...args: string[]) {
  return runCairn({ home }, 'import', 'claude-mem', ...args);
}

function inStore<T>(read: (store: Store) => T): T {
  const store = openSqliteStore(join(home, '.cairn/cairn.db'));
  try {
    return read(store);
  } finally {
    store.close();
  }
}

function memories() {
  return inStore(
    (store) => store.listPortableMemories({ after: 0, limit: 99, withSuperseded: true }).memories,
  );
}

/** As claude-mem leaves it while it runs: most of the data is still in the WAL next to the database. */
function fill(): void {
  theirs = openUnchecked(source);
  theirs.exec(`PRAGMA journal_mode = WAL; ${SCHEMA}; PRAGMA wal_checkpoint(TRUNCATE)`);
  const session = theirs.prepare(
    'INSERT INTO sdk_sessions (content_session_id, memory_session_id, project, started_at, started_at_epoch, status) VALUES (?, ?, ?, ?, ?, ?)',
  );
  session.run(SESSION, 'memory-1', 'orchard', '', AT, 'active');
  session.run('other', 'memory-2', 'meadow', '', AT, 'completed');
  const observe = theirs.prepare(`
    INSERT INTO observations (memory_session_id, project, type, title, subtitle, narrative, facts, concepts, files_read,
      files_modified, prompt_number, created_at, created_at_epoch, generated_by_model)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1, '', ?, ?)`);
  const secret = `ghp_${'a1B2'.repeat(9)}`;
  observe.run(
    ...['memory-1', 'orchard', 'discovery', 'Wasps come in September', 'Pick before'],
    `They are after the plums. The key is ${secret} and <private>my age</private> too.`,
    ...['["Traps help"]', '["gotcha","harvest"]', '["/etc/hosts"]'],
    ...[JSON.stringify([join(orchard, 'src/plums.ts')]), AT + 1, 'a-model'],
  );
  observe.run('memory-2', 'meadow', 'change', 'Mown twice', null, null, null, null, null, null, AT + 2, null);
  observe.run(
    'memory-1',
    'orchard/shed',
    'change',
    'Of a worktree',
    '',
    '',
    '[]',
    '[]',
    '[]',
    '[]',
    AT + 3,
    null,
  );
  observe.run('memory-1', 'orchard', 'change', '', '', '', '[]', '[]', '[]', '[]', AT + 4, null);
  theirs
    .prepare(`
      INSERT INTO session_summaries (memory_session_id, project, request, learned, completed, next_steps, files_edited,
        prompt_number, created_at, created_at_epoch) VALUES (?, ?, ?, ?, ?, ?, ?, 1, '', ?)`)
    .run(
      'memory-1',
      'orchard',
      'When to pick plums?',
      'Wasps',
      'Said it',
      'Pick them',
      '["src/plums.ts"]',
      AT + 9,
    );
  const ask = theirs.prepare(`
    INSERT INTO user_prompts (content_session_id, prompt_number, prompt_text, created_at, created_at_epoch)
    VALUES (?, ?, ?, '', ?)`);
  ask.run(SESSION, 1, 'When to pick plums?', AT);
  ask.run(SESSION, 2, 'And pears?', AT + 5);
  ask.run(SESSION, 3, '<private>And my age?</private>', AT + 6);
}
