import { cpSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { rememberTurn } from '../../../test/support/memories.ts';
import { openPlainStore } from '../../../test/support/plain-store.ts';
import { mountSmallDisk } from '../../../test/support/small-disk.ts';
import { tempFolder } from '../../../test/support/temp.ts';
import { redactValue } from '../../capture/redact/redact-value.ts';
import { migrations } from '../migrations/all.ts';
import { openUnchecked } from './open.ts';
import { openReadingStore } from './reading-store.ts';

const PLACE = { path: '/orchard/.git', name: 'orchard' };

function makeStore(folder: string) {
  const path = join(folder, 'cairn.db');
  const store = openPlainStore(path);
  rememberTurn(store, { at: 1_000, place: PLACE, observations: [{ title: 'Apples' }] });
  return { path, store };
}

function titlesIn(path: string): string[] {
  const store = openReadingStore(path, 0);
  try {
    return store.listRecentMemories({ limit: 10 }).map(({ title }) => title);
  } finally {
    store.close();
  }
}

test('reads while another connection is writing', () => {
  const { path, store } = makeStore(tempFolder());
  const writer = openUnchecked(path);
  writer.exec('BEGIN EXCLUSIVE');
  expect(titlesIn(path)).toEqual(['Apples']);
  writer.exec('ROLLBACK');
  writer.close();
  store.close();
});

test('rejects changes', () => {
  const { path, store } = makeStore(tempFolder());
  store.close();
  const reading = openReadingStore(path);
  expect(() => reading.renameProject(1, redactValue<string>('meadow'))).toThrow(
    expect.objectContaining({ code: 'read-only' }),
  );
  reading.close();
});

test('creates a missing database and migrates an older one', () => {
  const path = join(tempFolder(), 'home', 'cairn.db');
  expect(titlesIn(path)).toEqual([]);
  const { path: old, store } = makeStore(tempFolder());
  store.close();
  migrations.push({ name: '002-made-up', sql: 'ALTER TABLE projects ADD COLUMN colour TEXT' });
  try {
    expect(titlesIn(old)).toEqual(['Apples']);
  } finally {
    migrations.pop();
  }
});

test('rejects a newer database', () => {
  const { path, store } = makeStore(tempFolder());
  store.close();
  const db = openUnchecked(path);
  db.exec('PRAGMA user_version = 999');
  db.close();
  expect(() => openReadingStore(path)).toThrow(expect.objectContaining({ code: 'newer' }));
});

const OBSTACLES = [
  { obstacle: 'full', hasWal: false },
  { obstacle: 'full', hasWal: true },
  { obstacle: 'read-only', hasWal: false },
  { obstacle: 'read-only', hasWal: true },
];

test.for(OBSTACLES)('reads on a $obstacle disk, with WAL: $hasWal', ({ obstacle, hasWal }, { skip }) => {
  const disk = mountSmallDisk();
  if (!disk) return skip('no right to mount a small disk here');
  try {
    // Characters with a meaning in a URI.
    const folder = join(disk.folder, 'a b?c#d%20');
    const { path, store } = makeStore(tempFolder());
    if (!hasWal) store.checkpointWal();
    // Copied while open, as a killed process would leave it.
    cpSync(dirname(path), folder, {
      recursive: true,
      filter: (name) => hasWal || !/-(?:wal|shm)$/.test(name),
    });
    store.close();
    if (obstacle === 'full') disk.fill();
    else disk.makeReadOnly();
    expect(titlesIn(join(folder, 'cairn.db'))).toEqual(['Apples']);
    expect(titlesIn(join(disk.folder, 'cairn.db'))).toEqual([]);
  } finally {
    disk.remove();
  }
});
