import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { findPlace } from '../../src/capture/place.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import { makeRepository, runCairn } from '../support/run-cairn.ts';
import { tempFolder } from '../support/temp.ts';

let home: string;
let orchard: string;
let memory: string;

beforeEach(() => {
  home = tempFolder();
  orchard = makeRepository(join(home, 'code/or-chard'));
  memory = join(home, '.claude/projects', orchard.replace(/[^A-Za-z0-9]/g, '-'), 'memory');
  mkdirSync(memory, { recursive: true });
  write(
    '# Memory\n\n## Build\n- The API listens on port 3000\n- Run the build before the tests\n- [Wasps](wasps.md)\n',
  );
  writeFileSync(
    join(memory, 'wasps.md'),
    '---\nname: wasps\ndescription: Wasps come in September\n---\nPick before.\n',
  );
});

test('notes are imported once', () => {
  expect(cairn('--dry-run').stdout).toBe('3 memories would be imported. Nothing was stored.\n');
  expect(cairn()).toEqual({ exitCode: 0, stdout: 'Imported 3 memories.\n', stderr: '' });
  expect(cairn().stdout).toBe('Nothing new (3 already known).\n');
  expect(notes()).toEqual([
    ['The API listens on port 3000', null],
    ['Run the build before the tests', null],
    ['Wasps come in September', null],
  ]);
  const [first] = all();
  expect(first).toMatchObject({
    kind: 'note',
    subtitle: 'Build',
    saidBy: 'agent',
    project: { name: 'or-chard', path: findPlace(orchard).path },
  });
  expect(first?.key).toMatch(/^memory-md:[\w-]{16}:[\w-]{16}$/);
});

test('an edited note replaces the old one, also when the edit is undone', () => {
  cairn();
  write(
    '## Build\n- Run the build before the tests\n- The API listens on port 4000\n- Something new altogether\n',
  );
  writeFileSync(join(memory, 'wasps.md'), '---\nname: wasps\ndescription: Hornets like pears\n---\n');
  expect(cairn().stdout).toBe('Imported 3 memories (2 replaced older ones, 1 already known).\n');
  expect(notes()).toEqual([
    ['The API listens on port 3000', 'The API listens on port 4000'],
    ['Run the build before the tests', null],
    ['Wasps come in September', 'Hornets like pears'],
    ['The API listens on port 4000', null],
    ['Something new altogether', null],
    ['Hornets like pears', null],
  ]);
  write(
    '## Build\n- Run the build before the tests\n- The API listens on port 3000\n- Something new altogether\n',
  );
  expect(cairn().stdout).toBe('Nothing new (1 replaced older ones, 4 already known).\n');
  expect(notes().slice(0, 4)).toEqual([
    ['The API listens on port 3000', null],
    ['Run the build before the tests', null],
    ['Wasps come in September', 'Hornets like pears'],
    ['The API listens on port 4000', 'The API listens on port 3000'],
  ]);
});

test('files in subfolders are imported too', () => {
  mkdirSync(join(memory, 'pests'));
  writeFileSync(join(memory, 'pests/hornets.md'), '- Hornets like pears\n');
  write('- [Hornets](pests/hornets.md)\n');
  cairn();
  expect(notes().map(([title]) => title)).toEqual(['Hornets like pears', 'Wasps come in September']);
});

test('private parts and secrets are not imported', () => {
  const secret = `ghp_${'a1B2'.repeat(9)}`;
  write(
    `- The token is ${secret}\n- <private>I am forty.\n- And heavy\n- And tired</private>\n- I like plums\n`,
  );
  cairn();
  expect(notes().map(([title]) => title)).toEqual([
    'The token is [redacted:github-token]',
    'I like plums',
    'Wasps come in September',
  ]);
  expect(JSON.stringify(all())).not.toMatch(new RegExp(`${secret}|forty|heavy|tired`));
});

test('the transcript gives the folder of the project', () => {
  const gone = join(home, 'gone/meadow');
  const folder = join(home, '.claude/projects', gone.replace(/[^A-Za-z0-9]/g, '-'));
  mkdirSync(join(folder, 'memory'), { recursive: true });
  writeFileSync(join(folder, 's.jsonl'), `${JSON.stringify({ type: 'user', cwd: gone })}\n`);
  writeFileSync(join(folder, 'memory/MEMORY.md'), '- The meadow is mown in June\n');
  cairn();
  expect(all().map(({ title, project }) => [title, project?.name])).toContainEqual([
    'The meadow is mown in June',
    'meadow',
  ]);
});

test('a project that cannot be found is reported', () => {
  const folder = join(home, '.claude/projects/-nowhere-at-all/memory');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'MEMORY.md'), '- Lost\n');
  expect(cairn()).toEqual({
    exitCode: 0,
    stdout: 'Imported 3 memories.\n',
    stderr: `Skipped ${folder}: its project is not on this machine; name it with --dir and --project.\n`,
  });
  const meadow = makeRepository(join(home, 'meadow'));
  expect(cairn('--dir', folder, '--project', meadow).stdout).toBe('Imported 1 memory.\n');
  expect(all().at(-1)).toMatchObject({ title: 'Lost', project: { name: 'meadow' } });
});

test.each<[string, string[], string]>([
  ['a missing folder', ['--dir', 'nowhere'], 'No notes found'],
  ['an option of another source', ['--session', 'x'], 'Unknown option for memory-md: --session'],
])('%s is an error', (_, args, expected) => {
  expect(cairn(...args)).toEqual({ exitCode: 1, stdout: '', stderr: expect.stringContaining(expected) });
});

function write(text: string): void {
  writeFileSync(join(memory, 'MEMORY.md'), text);
}

function cairn(...args: string[]) {
  return runCairn({ home }, 'import', 'memory-md', ...args);
}

function all() {
  const store = openSqliteStore(join(home, '.cairn/cairn.db'));
  try {
    return store.listPortableMemories({ after: 0, limit: 99, withSuperseded: true }).memories;
  } finally {
    store.close();
  }
}

/** Each note with the one that replaced it. */
function notes() {
  const list = all();
  const titleOf = (key: string | null) => list.find((note) => note.key === key)?.title ?? null;
  return list.map(({ title, supersededBy }) => [title, titleOf(supersededBy)]);
}
