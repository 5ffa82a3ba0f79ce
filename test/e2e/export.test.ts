import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { findPlace } from '../../src/capture/place.ts';
import { packageRoot } from '../../src/platform/installation.ts';
import { rememberTurn } from '../support/memories.ts';
import { openPlainStore } from '../support/plain-store.ts';
import { makeRepository, runCairn } from '../support/run-cairn.ts';
import { tempFolder } from '../support/temp.ts';

const REMOTE = 'https://git.example.invalid/robin/orchard.git';

let root: string;
let home: string;
let orchard: string;
let meadow: string;

beforeEach(() => {
  root = tempFolder();
  home = join(root, 'robin');
  orchard = makeRepository(join(root, 'robin/orchard'), REMOTE);
  meadow = join(root, 'robin/meadow');
  mkdirSync(meadow, { recursive: true });
  const store = openPlainStore(join(home, '.cairn/cairn.db'));
  rememberTurn(store, {
    session: 'one',
    at: Date.parse('2026-01-10T10:00:00Z'),
    place: findPlace(orchard),
    folder: orchard,
    commit: 'abc',
    observations: [
      {
        title: 'Plums are picked in August',
        narrative: 'In July they are hard.',
        filesModified: ['plums.md'],
        pins: [{ path: 'plums.md', hash: 'beef', symbols: ['pick'] }],
      },
      { title: 'The ladder stands in the shed', type: 'discovery', facts: ['It is of ash'] },
    ],
    summary: { request: 'Say when to pick plums', completed: 'Said it' },
  });
  store.replaceMemories([{ old: 2, by: 1 }]);
  store.close();
  cairn({ cwd: orchard }, 'remember', '--pin', '--alias', 'Zwetschgen', 'Plums are not apples.');
  cairn({ cwd: meadow }, 'remember', 'The meadow is mown in June.');
  cairn({ cwd: meadow }, 'remember', '--global', 'Drink enough water when it is hot.');
});

function cairn(where: { home?: string; cwd?: string; stdin?: string }, ...args: string[]) {
  return runCairn({ home, ...where }, ...args);
}

function exportedAll(of = home): { header: unknown; memories: Record<string, unknown>[] } {
  const { exitCode, stdout, stderr } = cairn({ home: of }, 'export', '--all', '--with-superseded');
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  const [header, ...memories] = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  return { header, memories };
}

function elsewhere(): string {
  const other = join(root, 'kim');
  mkdirSync(other, { recursive: true });
  return other;
}

test('an export has everything that is known about a memory', () => {
  const { header, memories } = exportedAll();
  expect(header).toEqual({ cairn_export: 1, version: expect.any(String), at: expect.any(String) });
  expect(memories.map(({ title }) => title)).toEqual([
    'Plums are picked in August',
    'The ladder stands in the shed',
    'Say when to pick plums',
    'Plums are not apples',
    'The meadow is mown in June',
    'Drink enough water when it is hot',
  ]);
  expect(memories[0]).toEqual({
    key: expect.stringMatching(/^cairn:1:/),
    kind: 'observation',
    type: 'decision',
    title: 'Plums are picked in August',
    subtitle: '',
    narrative: 'In July they are hard.',
    facts: [],
    concepts: [],
    aliases: [],
    parts: null,
    scope: 'project',
    status: 'current',
    supersededBy: null,
    strength: 1,
    saidBy: 'distiller',
    distiller: 'offline',
    at: '2026-01-10T10:00:00.000Z',
    pinnedAt: null,
    editedAt: null,
    mergedAt: null,
    project: { name: 'orchard', remote: findPlace(orchard).remote },
    session: { agent: 'claude-code', id: 'one' },
    prompt: 1,
    branch: 'main',
    commit: 'abc',
    files: [{ path: 'plums.md', how: 'write', hash: 'beef', symbols: ['pick'] }],
  });
  expect(memories[1]).toMatchObject({ status: 'superseded', supersededBy: memories[0]?.key });
  expect(memories[3]).toMatchObject({ aliases: ['Zwetschgen'], pinnedAt: expect.any(String) });
});

test('an import into an empty home exports the same again', () => {
  const file = join(root, 'all.jsonl');
  expect(cairn({}, 'export', '--all', '--with-superseded', '--out', file)).toEqual({
    exitCode: 0,
    stdout: '',
    stderr: `Wrote 6 memories to ${file}\n`,
  });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const kim = elsewhere();
  const dry = cairn({ home: kim }, 'import', 'cairn', file, '--dry-run');
  expect(dry).toEqual({
    exitCode: 0,
    stdout: '6 memories would be imported. Nothing was stored.\n',
    stderr: '',
  });
  expect(statSync(join(kim, '.cairn'), { throwIfNoEntry: false })).toBeUndefined();
  const first = cairn({ home: kim }, 'import', 'cairn', file);
  expect(first).toEqual({ exitCode: 0, stdout: 'Imported 6 memories.\n', stderr: '' });
  expect(exportedAll(kim).memories).toEqual(exportedAll().memories);

  const again = { exitCode: 0, stdout: 'Nothing new (6 already known).\n', stderr: '' };
  expect(cairn({ home: kim, stdin: readFileSync(file, 'utf8') }, 'import', 'cairn', '-')).toEqual(again);
  expect(cairn({}, 'import', 'cairn', file)).toEqual(again);
  expect(exportedAll(kim).memories).toEqual(exportedAll().memories);
});

test('a clone in another folder finds the imported memories', () => {
  const file = join(root, 'all.jsonl');
  cairn({ cwd: orchard }, 'export', '--out', file);
  const kim = elsewhere();
  cairn({ home: kim }, 'import', 'cairn', file);
  const clone = makeRepository(join(kim, 'work/plums'), REMOTE);
  const { stdout } = cairn({ home: kim, cwd: clone }, 'export');
  expect(
    stdout
      .trimEnd()
      .split('\n')
      .slice(1)
      .map((line) => JSON.parse(line).title),
  ).toEqual(['Plums are picked in August', 'Say when to pick plums', 'Plums are not apples']);
});

test('broken lines are reported, and the rest is imported', () => {
  const [header, ...lines] = cairn({}, 'export', '--all').stdout.trimEnd().split('\n');
  const file = join(root, 'broken.jsonl');
  const orphan = { key: 'x', kind: 'note', title: 'Old', at: '2026-01-01', supersededBy: 'nobody' };
  writeFileSync(
    file,
    [header, 'not json', '', ...lines.slice(0, 2), '{"key":"y"}', JSON.stringify(orphan)].join('\r\n'),
  );
  const { exitCode, stdout, stderr } = cairn({ home: elsewhere() }, 'import', 'cairn', file);
  expect({ exitCode, stdout, stderr: stderr.trimEnd().split('\n') }).toEqual({
    exitCode: 0,
    stdout: 'Imported 2 memories.\n',
    stderr: [
      'Skipped line 2: it is not JSON.',
      expect.stringMatching(/^Skipped line 6: kind: expected/),
      'Skipped line 7: the memory that replaced it is neither here nor in the file.',
    ],
  });
});

test('an import brings back no forgotten memory, and removes secrets', () => {
  const file = join(root, 'all.jsonl');
  cairn({}, 'export', '--all', '--out', file);
  cairn({}, 'forget', '4', '--yes');
  const token = `ghp_${'a1B2'.repeat(9)}`;
  const extra = { key: 'mine', kind: 'note', title: `The token is ${token}`, at: '2026-01-01T00:00:00Z' };
  writeFileSync(file, `${readFileSync(file, 'utf8')}${JSON.stringify(extra)}`);
  expect(cairn({}, 'import', 'cairn', file).stdout).toBe(
    'Imported 1 memory (4 already known, 1 forgotten earlier and not imported).\n',
  );
  const { memories } = exportedAll();
  expect(memories.some(({ title }) => title === 'Plums are not apples')).toBe(false);
  expect(JSON.stringify(memories)).not.toContain(token);
});

test.each<[string, string[], string]>([
  ['an unknown format', ['export', '--format', 'xml'], '--format must be one of: jsonl, markdown.'],
  ['an invalid date', ['export', '--since', 'soon'], '--since takes a date'],
  ['--all with --project', ['export', '--all', '--project', '.'], 'Give either --project or --all'],
  ['an unknown project', ['export', '--project', '/'], 'There are no memories of the project in /'],
  ['a missing folder', ['export', '--all', '--out', 'no/such/file'], 'cannot be written (ENOENT)'],
  ['a missing argument', ['import', 'cairn'], 'Missing file.'],
  ['a missing file', ['import', 'cairn', 'nothing.jsonl'], 'cannot be read (ENOENT)'],
  ['a file in another format', ['import', 'cairn', 'other.jsonl'], 'it is not an export of Cairn'],
])('%s is an error', (_, args, expected) => {
  writeFileSync(join(home, 'other.jsonl'), '{"type":"user"}\n');
  const { exitCode, stdout, stderr } = cairn({}, ...args);
  expect({ exitCode, stdout, stderr }).toEqual({
    exitCode: 1,
    stdout: '',
    stderr: expect.stringContaining(expected),
  });
});

test('Markdown contains the text of a memory', () => {
  const { stdout } = cairn({}, 'export', '--all', '--format', 'markdown');
  for (const text of [
    '# orchard',
    '## 2026-01-10',
    '### Plums are picked in August',
    'In July they are hard.',
  ])
    expect(stdout).toContain(text);
  expect(stdout).toMatch(/^---\ncairn_export: markdown\n/);
});

test('Ctrl-C stops an import, which can be continued later', async () => {
  const line = (number: number) => ({
    ...{ key: `else:${number}`, kind: 'note', at: '2026-01-01T00:00:00Z' },
    title: `Row ${number} has plum trees`,
  });
  const file = join(root, 'many.jsonl');
  const lines = Array.from({ length: 5_000 }, (_, number) => JSON.stringify(line(number)));
  writeFileSync(file, ['{"cairn_export":1}', ...lines].join('\n'));
  const kim = elsewhere();
  const child = spawn(process.execPath, [join(packageRoot(), 'dist/cli.mjs'), 'import', 'cairn', file], {
    env: { HOME: kim, PATH: process.env.PATH, CAIRN_NO_WORKER: '1' },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let stdout = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  while (!existsSync(join(kim, '.cairn/cairn.db'))) await new Promise((later) => setTimeout(later, 20));
  child.kill('SIGINT');
  const [exitCode] = await once(child, 'close');
  expect({ exitCode, stdout }).toEqual({
    exitCode: 130,
    stdout: expect.stringMatching(/^Stopped after \d+ memories\. Run the same command to continue\.\n$/),
  });
  expect(cairn({ home: kim }, 'import', 'cairn', file).exitCode).toBe(0);
  expect(exportedAll(kim).memories).toHaveLength(5_000);
});
