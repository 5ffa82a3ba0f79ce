import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openPlainStore, type PlainStore } from '../../../test/support/plain-store.ts';
import { tempFolder } from '../../../test/support/temp.ts';
import { updateIndex } from '../../indexing/update-index.ts';
import type { SearchFilter } from '../types/search.ts';
import type { NewVector } from '../types/vector.ts';
import { type Database, openDatabase } from './open.ts';

const EVERYTHING: SearchFilter = {
  ...{ projects: null, kinds: ['observation', 'summary', 'note'], phrases: [], without: [], types: [] },
  ...{ branches: [], agents: [], files: [], since: null, before: null },
};
const EAST = Float32Array.from([1, 0, 0]);
const NORTH = Float32Array.from([0, 1, 0]);
const NORTH_EAST = Float32Array.from([Math.SQRT1_2, Math.SQRT1_2, 0]);

let db: Database;
let store: PlainStore;
beforeEach(() => {
  const path = join(tempFolder(), 'cairn.db');
  db = openDatabase(path);
  store = openPlainStore(path);
  db.exec("INSERT INTO projects (id, name, created_at) VALUES (1, 'shop', 0), (2, 'blog', 0)");
});
afterEach(() => {
  store.close();
  db.close();
});

test('without an embedder there are no vectors and none is pending', () => {
  remember(1, 'pnpm');
  expect(store.getVectorIndex()).toBeNull();
  expect(store.listPendingVectors(10)).toEqual([]);
  expect(store.countVectors()).toBe(0);
});

test('memories from before and after the start of an index are pending, newest first', () => {
  remember(1, 'before');
  store.startVectorIndex('openai:small', 7);
  remember(2, 'after');
  expect(store.getVectorIndex()).toEqual({
    embedder: 'openai:small',
    dimension: null,
    begunAt: 7,
    pending: 2,
  });
  expect(store.listPendingVectors(1)).toEqual([
    {
      ...{ memoryId: 2, changes: 1, title: 'after', subtitle: '', narrative: '' },
      ...{ facts: [], parts: null, aliases: [] },
    },
  ]);
  expect(save({ 1: EAST, 2: NORTH })).toBe('saved');
  expect(store.getVectorIndex()).toEqual({ embedder: 'openai:small', dimension: 3, begunAt: 7, pending: 0 });
  expect(store.countVectors()).toBe(2);
});

test('a changed memory loses its vector and is pending', () => {
  begin({ 1: EAST });
  db.exec("UPDATE memories SET title = 'yarn' WHERE id = 1");
  expect([store.countVectors(), store.getVectorIndex()?.pending]).toEqual([0, 1]);
});

test('a vector requested before a change is not saved', () => {
  remember(1, 'pnpm');
  store.startVectorIndex('openai:small', 0);
  const asked = store.listPendingVectors(1).map((source) => ({ ...source, vector: EAST }));
  db.exec("UPDATE memories SET title = 'yarn' WHERE id = 1");
  expect(store.saveVectors(asked)).toBe('saved');
  expect([store.countVectors(), store.getVectorIndex()?.pending]).toEqual([0, 1]);
});

test('a memory that is pinned or superseded keeps its vector', () => {
  begin({ 1: EAST, 2: NORTH });
  db.exec('UPDATE memories SET superseded_by = 2, pinned_at = 7 WHERE id = 1');
  expect([store.countVectors(), store.getVectorIndex()?.pending]).toEqual([2, 0]);
});

test('rejects all vectors of a batch if one has another length', () => {
  begin({ 1: EAST });
  remember(2, 'two');
  remember(3, 'three');
  expect(save({ 2: NORTH, 3: Float32Array.from([1, 0]) })).toBe('other-length');
  expect([store.countVectors(), store.getVectorIndex()?.pending]).toEqual([1, 2]);
});

test('another embedder starts an empty index', () => {
  begin({ 1: EAST });
  store.startVectorIndex('openai:large', 9);
  expect(store.getVectorIndex()).toEqual({
    embedder: 'openai:large',
    dimension: null,
    begunAt: 9,
    pending: 1,
  });
  expect(store.countVectors()).toBe(0);
});

test('nothing is pending after the vectors are dropped', () => {
  begin({ 1: EAST });
  store.dropVectors();
  remember(2, 'two');
  expect([store.getVectorIndex(), store.countVectors(), store.listPendingVectors(9)]).toEqual([null, 0, []]);
});

test.each<{ name: string; filter: Partial<SearchFilter>; docs: number[] }>([
  { name: 'everywhere', filter: {}, docs: [6, 4, 2] },
  { name: 'in a project, including global ones', filter: { projects: [1] }, docs: [6, 2] },
  { name: 'in a project by its name', filter: { projects: ['Blog'] }, docs: [6, 4] },
  { name: 'in no project, only global ones', filter: { projects: [] }, docs: [6] },
  { name: 'of another kind', filter: { kinds: ['summary'] }, docs: [] },
  { name: 'of a type', filter: { types: ['gotcha'] }, docs: [4] },
  { name: 'since a time', filter: { since: 3 }, docs: [6] },
])('compares with memories $name', ({ filter, docs }) => {
  begin({ 1: EAST, 2: NORTH, 3: NORTH_EAST });
  db.exec(`UPDATE memories SET project_id = 2, type = 'gotcha' WHERE id = 2;
    UPDATE memories SET project_id = 2, scope = 'global' WHERE id = 3`);
  updateIndex(store);
  expect(store.compareVectors(EAST, { ...EVERYTHING, ...filter }).docs).toEqual(docs);
});

test('cosines of stored vectors are close to the exact ones', () => {
  const [one, other] = [unit(384, 1), unit(384, 2)];
  begin({ 1: one, 2: other });
  const { docs, cosines } = store.compareVectors(one, EVERYTHING);
  const exact = one.reduce((sum, value, at) => sum + value * (other[at] ?? 0), 0);
  expect(docs).toEqual([4, 2]);
  expect(cosines[0]).toBeCloseTo(exact, 2);
  expect(cosines[1]).toBeCloseTo(1, 2);
});

test('a vector of another length matches nothing', () => {
  begin({ 1: EAST });
  expect(store.compareVectors(Float32Array.from([1, 0]), EVERYTHING)).toEqual({ docs: [], cosines: [] });
});

test('deleting a memory removes its vector or pending entry', () => {
  begin({ 1: NORTH, 2: EAST });
  db.exec('DELETE FROM memories WHERE id = 1');
  remember(3, 'waits');
  db.exec('DELETE FROM memories WHERE id = 3');
  expect([store.countVectors(), store.getVectorIndex()?.pending]).toEqual([1, 0]);
  expect(store.compareVectors(NORTH, EVERYTHING).docs).toEqual([4]);
});

function remember(id: number, title: string): void {
  db.prepare(`
    INSERT INTO memories (id, kind, title, subtitle, narrative, facts, concepts, tokens, project_id, distiller, at,
      changed_at)
    VALUES (?, 'note', ?, '', '', '[]', '[]', 1, 1, 'person', ?, 0)`).run(id, title, id);
  updateIndex(store);
}

/** Starts an index with these vectors by memory id. */
function begin(vectors: Record<number, Float32Array>): void {
  for (const id of Object.keys(vectors)) remember(Number(id), `memory ${id}`);
  store.startVectorIndex('openai:small', 0);
  expect(save(vectors)).toBe('saved');
}

function save(vectors: Record<number, Float32Array>): 'saved' | 'other-length' {
  const made = store.listPendingVectors(100).flatMap(({ memoryId, changes }): NewVector[] => {
    const vector = vectors[memoryId];
    return vector ? [{ memoryId, changes, vector }] : [];
  });
  return store.saveVectors(made);
}

/** A unit vector with a direction that depends only on the seed. */
function unit(length: number, seed: number): Float32Array {
  const values = Array.from({ length }, (_, at) => Math.sin(seed * 1_000 + at * at));
  const size = Math.hypot(...values);
  return Float32Array.from(values, (value) => value / size);
}
