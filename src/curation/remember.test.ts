import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest';
import { tempFolder } from '../../test/support/temp.ts';
import { readEnvironment } from '../config/environment.ts';
import { loadSettings } from '../config/settings.ts';
import { blobHash } from '../platform/git/checkout.ts';
import { createLog } from '../platform/log.ts';
import { pathsOf } from '../platform/paths.ts';
import { openSqliteStore } from '../store/sqlite/sqlite-store.ts';
import { editMemory } from './edit.ts';
import type { CurationOptions } from './options.ts';
import { remember } from './remember.ts';

let options: CurationOptions;
let folder: string;

beforeEach(() => {
  const home = tempFolder();
  folder = join(home, 'shop');
  mkdirSync(folder);
  const paths = pathsOf(join(home, '.cairn'));
  const { settings } = loadSettings(paths.config, readEnvironment({}));
  const log = createLog({ folder: paths.logs, level: 'off', from: 'test' });
  options = { store: openSqliteStore(paths.database), paths, settings, log, now: Date.now };
});
afterEach(() => options.store.close());

const said = (text: string) => remember(options, { text, folder, saidBy: 'person' });

const long = `Whoever changes the rounding has to run ${'the slow tests and '.repeat(6)}the report.`;
test.each([
  ['one sentence', 'Use pnpm here.', 'Use pnpm here', ''],
  ['two', 'Use pnpm here! Never npm.', 'Use pnpm here!', 'Never npm.'],
  ['a heading', '# Packages\n\nUse pnpm.\n- never npm', 'Packages', 'Use pnpm.\n- never npm'],
  [
    'a long sentence',
    long,
    'Whoever changes the rounding has to run the slow tests and the slow tests and the slow tests and the slow tests and…',
    long,
  ],
  [
    'a secret',
    'The key is sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGH-abcdefgh.',
    expect.stringMatching(/^The key is \[redacted:.+\]$/),
    '',
  ],
  ['a private part', 'The gate <private>is violet</private> opens.', 'The gate [private] opens', ''],
])('of %s', (_, text, title, narrative) => {
  expect(said(text)).toEqual({ id: 1, isNew: true });
  expect(options.store.getMemory(1)).toMatchObject({ kind: 'note', saidBy: 'person', title, narrative });
});

test('the reason is kept with it, cleaned like the rest', () => {
  remember(options, {
    text: 'Use pnpm here.',
    why: ' CI <private>x</private> caches it. ',
    folder,
    saidBy: 'agent',
  });
  expect(options.store.getMemory(1)).toMatchObject({
    title: 'Use pnpm here',
    narrative: 'Why: CI [private] caches it.',
  });
});

test.each([
  ['nothing', '  \n', 'There is nothing to remember.'],
  ['only private words', '<private>violet</private>', 'The whole text is private.'],
])('refuses %s', (_, text, problem) => {
  expect(said(text)).toEqual({ problem });
});

it('names files from the top of the checkout and knows how they look', () => {
  mkdirSync(join(folder, '.git'));
  writeFileSync(join(folder, '.git/HEAD'), 'ref: refs/heads/main\n');
  mkdirSync(join(folder, 'src'));
  writeFileSync(join(folder, 'src/money.ts'), 'export function roundHalf() {}\n');
  const request = {
    folder: join(folder, 'src'),
    saidBy: 'agent' as const,
    files: ['money.ts', '/etc/hosts'],
  };
  remember(options, {
    ...request,
    text: 'Use roundHalf() for money.',
    isPinned: true,
    aliases: [' cash ', ''],
  });
  expect(options.store.getMemory(1)).toMatchObject({
    saidBy: 'agent',
    branch: 'main',
    aliases: ['cash'],
    filesRead: expect.arrayContaining(['src/money.ts', '/etc/hosts']),
    pins: expect.arrayContaining([
      {
        path: 'src/money.ts',
        hash: blobHash(Buffer.from('export function roundHalf() {}\n')),
        symbols: ['roundHalf'],
      },
    ]),
    pinnedAt: expect.any(Number),
  });
});

describe('a note that replaces memories', () => {
  const replacing = (text: string, replaces: number[], where = folder, isGlobal = false) =>
    remember(options, { text, folder: where, saidBy: 'agent', replaces, isGlobal });

  const replacedBy = (ids: number[]) => ids.map((id) => options.store.getMemory(id)?.supersededBy);

  test('is given in their place', () => {
    said('Deploys run on Friday.');
    said('Deploys need two approvals.');
    expect(replacing('Deploys run on Monday.', [1])).toEqual({ id: 3, isNew: true });
    expect(replacedBy([1, 2, 3])).toEqual([3, null, null]);
  });

  test('does not replace itself if it is known already', () => {
    said('Deploys run on Friday.');
    said('Deploys run on Monday.');
    expect(replacing('Deploys run on Monday.', [1, 2])).toEqual({ id: 2, isNew: false });
    expect(replacedBy([1, 2])).toEqual([2, null]);
  });

  test('is refused if it cannot replace one of them, and nothing is stored', () => {
    const elsewhere = join(folder, '../other');
    mkdirSync(elsewhere);
    said('Deploys run on Friday.');
    said('Deploys run on Monday.');
    replacing('Deploys run daily.', [1]);
    expect(replacing('Never on Friday.', [2, 9])).toEqual({ problem: 'There is no memory 9.' });
    expect(replacing('Never on Friday.', [2, 1])).toEqual({ problem: 'Memory 1 was replaced by 3.' });
    expect(replacing('Never on Friday.', [2], elsewhere)).toEqual({
      problem: 'Memory 2 is of another project.',
    });
    expect(replacedBy([2, 4])).toEqual([null, undefined]);
    expect(replacing('Never on Friday.', [2], elsewhere, true)).toEqual({ id: 4, isNew: true });
  });
});

it('edits with the same care', () => {
  said('Use pnpm.');
  expect(
    editMemory(options, 1, { title: ' The <private>violet</private>\n gate ', facts: ['a', '', 'a'] }),
  ).toBeNull();
  expect(options.store.getMemory(1)).toMatchObject({ title: 'The [private] gate', facts: ['a'] });
  for (const title of [' ', '\u200b\u202e'])
    expect(editMemory(options, 1, { title })).toEqual({ problem: 'A memory needs a title.' });
  expect(editMemory(options, 9, { title: 'x' })).toEqual({ problem: 'There is no memory 9.' });
});
