import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { rememberTurn } from '../../../test/support/memories.ts';
import { openPlainStore } from '../../../test/support/plain-store.ts';
import { tempFolder } from '../../../test/support/temp.ts';
import { startPruning } from '../../../test/support/works.ts';
import { openUnchecked } from './open.ts';
import { openQuickReader } from './quick-reader.ts';

const orchard = { path: '/orchard/.git', name: 'orchard' };
const meadow = { path: '/meadow/.git', name: 'meadow' };

function filled() {
  const path = join(tempFolder(), 'cairn.db');
  const store = openPlainStore(path);
  rememberTurn(store, {
    ...{ session: 'one', at: 1_000, place: orchard },
    observations: [
      { title: 'Apples', filesModified: ['src/apples.ts'], filesRead: ['README.md'] },
      { title: 'Pears', filesModified: ['src/apples.ts', 'src/pears.ts'] },
    ],
  });
  rememberTurn(store, { session: 'two', at: 2_000, place: meadow, observations: [{ title: 'Grass' }] });
  startPruning(store, {
    ...{ place: orchard, session: 'one', at: 3_000 },
    tasks: ['done', 'open', 'doing', 'dropped'],
  });
  return { path, store };
}

test('reads memory counts, the work item and files', () => {
  const { path, store } = filled();
  store.close();
  const glance = openQuickReader(path, 50);
  expect({
    here: glance.countMemories(orchard),
    there: glance.countMemories(meadow),
    nowhere: glance.countMemories({ path: '/nowhere', name: 'nowhere' }),
    work: glance.findWorkItem('one'),
    noWork: glance.findWorkItem('two'),
    files: glance.listFiles(orchard, 'one').sort((a, b) => (a.path < b.path ? -1 : 1)),
  }).toEqual({
    here: 2,
    there: 1,
    nowhere: 0,
    work: { name: 'pruning', done: 1, tasks: 3 },
    noWork: null,
    files: [
      { path: 'README.md', changes: 0, at: 1_000, isOfWork: false },
      { path: 'src/apples.ts', changes: 2, at: 1_000, isOfWork: false },
      { path: 'src/pears.ts', changes: 1, at: 1_000, isOfWork: false },
    ],
  });
  glance.close();
});

test('counts memories of merged projects together', () => {
  const { path, store } = filled();
  store.mergeProjects(store.findProject(meadow)?.id ?? 0, store.findProject(orchard)?.id ?? 0);
  const glance = openQuickReader(path, 50);
  expect([glance.countMemories(orchard), glance.countMemories(meadow)]).toEqual([3, 3]);
  glance.close();
  store.close();
});

test('reads the committed state while another process is writing', () => {
  const { path, store } = filled();
  const writer = openUnchecked(path);
  writer.exec('BEGIN IMMEDIATE');
  const glance = openQuickReader(path, 10);
  expect(glance.countMemories(orchard)).toBe(2);
  glance.close();
  writer.exec('ROLLBACK');
  writer.close();
  store.close();
});

test('finds no work item in an older database without their tables', () => {
  const path = join(tempFolder(), 'cairn.db');
  const store = openPlainStore(path);
  rememberTurn(store, { session: 'one', at: 1_000, place: orchard, observations: [{ title: 'Apples' }] });
  store.close();
  const older = openUnchecked(path);
  older.exec('DROP TABLE work_sessions');
  older.close();
  const glance = openQuickReader(path, 50);
  expect([
    glance.findWorkItem('one'),
    glance.countMemories(orchard),
    glance.listFiles(orchard, 'one'),
  ]).toEqual([null, 1, []]);
  glance.close();
});

test('throws for a missing file, and reports another kind of file as damaged', () => {
  const path = join(tempFolder(), 'cairn.db');
  expect(() => openQuickReader(path, 10)).toThrow();
  writeFileSync(path, 'no database at all, but long enough to be taken for one '.repeat(20));
  expect(() => openQuickReader(path, 10).countMemories(orchard)).toThrow(
    expect.objectContaining({ code: 'damaged' }),
  );
});
