import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '../../src/store/sqlite/open.ts';
import { cairn } from '../support/home-watch.ts';
import { type HookWorld, makeHookWorld } from '../support/hook-call.ts';

/** What a person finds with the built command. */

const folder = mkdtempSync(join(tmpdir(), 'cairn-search-'));
let world: HookWorld;

beforeAll(async () => {
  world = makeHookWorld(folder);
  execFileSync('git', ['init', '-q', '-b', 'main'], { cwd: world.project });
  mkdirSync(join(world.project, 'src'));
  writeFileSync(join(world.project, 'src/press.ts'), 'export function pressApples() {}\n');
  await cairn(
    world,
    'remember',
    '--type',
    'gotcha',
    '--file',
    'src/press.ts',
    'pressApples() wants dry apples.',
  );
  await cairn(world, 'remember', '--type', 'decision', 'We pick with ladders instead of machines.');
  await cairn(world, 'remember', '--global', '--type', 'preference', 'Always use pnpm.');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.each([
  {
    asked: ['apples', 'dry'],
    first: /^ +#1 {2}\S+ \S+ {2}gotcha +pressApples\(\) wants dry apples\n +today · src\/press\.ts\n/,
  },
  { asked: ['"dry apples"'], first: /^ +#1 / },
  { asked: ['press.ts'], first: /^ +#1 / },
  { asked: ['why', 'no', 'machines?'], first: /^ +#2 / },
  { asked: ['which package manager: pnpm or npm'], first: /^ +#3 / },
  { asked: ['type:decision'], first: /^ +#2 .+\n$/ },
  { asked: ['apples -dry'], first: /^Nothing about "apples -dry" in this project\./ },
  { asked: ['(((', 'OR', '*"'], first: /^Nothing about / },
])('cairn search $asked', async ({ asked, first }) => {
  const { stdout, stderr, exitCode } = await cairn(world, 'search', ...asked);
  expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
  expect(stdout).toMatch(first);
});

test.each([
  { asked: ['laders'], says: /^Showing results for ladders \(no memory has “laders”\)\.\n +#2 / },
  { asked: ['press_apples'], says: /^ +#1 / },
  { asked: ['pressapples'], says: /^ +#1 / },
  { asked: ['"laders"'], says: /^Nothing about / },
  { asked: ['MODULE_NOT_FOUND'], says: /^Nothing about / },
  { asked: ['type:gotca'], says: /Did you mean type:gotcha\?/ },
  { asked: ['kind:gotcha'], says: /Did you mean type:gotcha\?/ },
  { asked: ['NOT upload'], says: /Did you mean -upload\?/ },
  { asked: ['uplo*'], says: /Search for uplo or a whole word/ },
  { asked: ['is:pinned'], says: /Unknown operator is: in is:pinned\. Use one of type:, / },
  { asked: ['the of'], says: /^Nothing about "the of": it has only very common words\./ },
  { asked: ['"apple pie"'], says: /^Nothing about "apple pie" in this project\./ },
  { asked: ['#2'], says: /^ +#2 / },
  { asked: ['x'.repeat(10_001)], says: /^cairn: The query has more than 10,000 characters\.\n$/ },
  { asked: [' '], says: /^cairn: Missing search terms\./ },
  { asked: ['x', '--limit', '-1'], says: /^cairn: --limit must be a whole number of at least 1\.\n/ },
  { asked: ['x', '--limit'], says: /^cairn: --limit needs a value\. / },
  { asked: ['kidn:note'], says: /Did you mean kind:note\?/ },
  { asked: ['since:banana'], says: /Unknown date in since:banana\./ },
  { asked: ['agent:claud x'], says: /Unknown agent in agent:claud\./ },
  { asked: ['branch:nope x'], says: /Unknown branch in branch:nope\./ },
  { asked: ['project:nowhere x'], says: /Unknown project in project:nowhere\./ },
])('cairn search $asked reports the problem', async ({ asked, says }) => {
  const { stdout, stderr } = await cairn(world, 'search', ...asked);
  expect(stdout || stderr).toMatch(says);
});

test('--json contains the replacement', async () => {
  const { stdout } = await cairn(world, 'search', 'laders', '--json');
  expect(JSON.parse(stdout)).toMatchObject([{ id: '#2', replaced: [{ typed: 'laders', used: 'ladders' }] }]);
});

test('a search without hits adds an alias to the memory opened next, which can be undone', async () => {
  expect((await cairn(world, 'search', 'harvester')).stdout).toMatch(/^Nothing about /);
  expect((await cairn(world, 'show', '2')).stdout).toMatch(
    /Learnt: “harvester” finds #2 from now on\. Undo: .+\n$/,
  );
  expect((await cairn(world, 'show', '2')).stdout).toMatch(/^learnt {2}harvester \(from searches\)$/m);
  expect((await cairn(world, 'search', 'harvester')).stdout).toMatch(/^ +#2 /);
  const undone = await cairn(world, 'edit', '2', '--remove-alias', 'harvester');
  expect(undone.stdout).toBe('#2 is no longer found by: harvester.\n');
  expect((await cairn(world, 'search', 'harvester')).stdout).toMatch(/^Nothing about /);
  expect((await cairn(world, 'edit', '2', '--remove-alias', 'harvester')).stderr).toMatch(
    /#2 has no alias "harvester"\. It has: none\./,
  );
});

test('a memory whose file has changed is marked wherever it is shown', async () => {
  const before = await cairn(world, 'file', 'src/press.ts');
  expect(before.stdout).toMatch(/^ +#1 .+pressApples\(\) wants dry apples\n$/);
  writeFileSync(join(world.project, 'src/press.ts'), 'export function pressPears() {}\n');
  expect((await cairn(world, 'search', 'dry apples')).stdout).toMatch(
    /^ +#1 .+pressApples\(\) wants dry apples\n +today · src\/press\.ts .+\n$/,
  );
  for (const args of [
    ['file', 'src'],
    ['timeline', '1'],
  ]) {
    const { stdout } = await cairn(world, ...args);
    expect(stdout).toMatch(/#1 .+pressApples\(\) wants dry apples · .*src\/press\.ts/);
  }
});

test('--json has all fields, --why has the reasons', async () => {
  const { stdout } = await cairn(world, 'search', 'ladders', '--json');
  expect(JSON.parse(stdout)).toMatchObject([
    {
      id: '#2',
      type: 'decision',
      title: 'We pick with ladders instead of machines',
      matches: [[13, 20]],
      isWeaker: false,
      score: expect.any(Number),
      memory: { id: 2, kind: 'note', saidBy: 'person' },
    },
  ]);
  expect((await cairn(world, 'search', 'ladders', '--why')).stdout).toMatch(/\(.*ladders.*\)/);
});

test('the timeline marks the requested memory', async () => {
  const { stdout } = await cairn(world, 'timeline', '#2', '--before', '1', '--after', '0');
  expect(stdout).toMatch(/^\d{4}-\d\d-\d\d\n {2}.+#1 .+\n> .+#2 .+\n$/);
});

test('weaker hits appear only with --limit or --all, and are marked', async () => {
  const first = await cairn(world, 'search', 'pick with ladders instead of machines, for apples');
  expect(first.stdout).toMatch(
    /^ +#2 .+ladders instead of machines · today\n1 weaker hit is hidden\. To see it, add --limit 2\n$/,
  );
  for (const option of [['--limit', '5'], ['--all']]) {
    const { stdout } = await cairn(
      world,
      'search',
      'pick with ladders instead of machines, for apples',
      ...option,
    );
    expect(stdout).toMatch(/^ +#2 .+\n +#1 .+pressApples\(\) wants dry apples · weaker\n$/);
  }
});

test('a list that is cut says how long it is', async () => {
  const { stdout } = await cairn(world, 'search', 'since:yesterday', '--limit', '2');
  expect(stdout).toMatch(/^(?: +#\d.+\n(?: {8}.+\n)?){2}2 of 3 hits\. To see all, add --limit 3\n$/);
  const json = await cairn(world, 'search', 'since:yesterday', '--limit', '2', '--json');
  expect(JSON.parse(json.stdout)).toHaveLength(2);
  expect(json.stderr).toBe('2 of 3 hits. To see all, add --limit 3\n');
});

test('remember lists the types, and takes a note for a memory without one', async () => {
  expect((await cairn(world, 'remember', '--help')).stdout).toContain('Types: preference, decision, ');
  const remembered = await cairn(world, 'remember', '--type', 'note', 'The ladder is in the barn.');
  expect(remembered.stdout).toMatch(/^Remembered as #\d+\.\n$/);
  expect((await cairn(world, 'search', 'barn')).stdout).toMatch(/ note +The ladder is in the barn/);
});

test('a search finds the memory that replaced another', async () => {
  await cairn(world, 'remember', '--type', 'decision', 'The harvest begins on Monday.');
  const { stdout } = await cairn(world, 'search', 'harvest Monday', '--json');
  const [old] = JSON.parse(stdout);
  await cairn(world, 'remember', '--type', 'decision', 'Picking starts when the sugar is right.');
  const db = openDatabase(join(world.home, 'cairn.db'));
  const newest = db.prepare<{ id: number }>('SELECT max(id) AS id FROM memories').get()?.id;
  db.prepare('UPDATE memories SET superseded_by = ? WHERE id = ?').run(newest ?? null, old.memory.id);
  db.close();
  expect((await cairn(world, 'search', 'harvest Monday')).stdout).toMatch(
    new RegExp(`^ +#${newest} .+Picking starts when the sugar is right\\n +today · replaces ${old.id}\\n$`),
  );
  expect((await cairn(world, 'search', 'harvest Monday', '--superseded')).stdout).toContain(
    `replaced by #${newest}`,
  );
});
