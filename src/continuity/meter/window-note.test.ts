import { existsSync, mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../../../test/support/temp.ts';
import { pathsOf } from '../../platform/paths.ts';
import { readWindowNote, writeWindowNote } from './window-note.ts';

const note = { size: 200_000, used: 5_000, model: 'claude-opus-5-5', at: 1_000 };

function home() {
  const paths = pathsOf(tempFolder());
  mkdirSync(paths.state);
  return paths;
}

test('is readable only for its owner and returned unchanged', () => {
  const paths = home();
  expect(readWindowNote(paths, 'one')).toBe(null);
  writeWindowNote(paths, 'one', note);
  writeWindowNote(paths, 'two', { ...note, used: null, model: null });
  expect([readWindowNote(paths, 'one'), readWindowNote(paths, 'two')]).toEqual([
    note,
    { ...note, used: null, model: null },
  ]);
  expect(statSync(join(paths.state, 'windows/one')).mode & 0o777).toBe(0o600);
});

test('is written only if it has changed', () => {
  const paths = home();
  writeWindowNote(paths, 'one', note);
  writeWindowNote(paths, 'one', { ...note, at: 2_000 });
  expect(readWindowNote(paths, 'one')?.at).toBe(1_000);
  writeWindowNote(paths, 'one', { ...note, used: 6_000, at: 3_000 });
  expect(readWindowNote(paths, 'one')).toEqual({ ...note, used: 6_000, at: 3_000 });
});

test('creates nothing without a home or for an id that is not a file name', () => {
  const paths = pathsOf(join(tempFolder(), 'gone'));
  writeWindowNote(paths, 'one', note);
  expect(existsSync(paths.home)).toBe(false);
  const other = home();
  writeWindowNote(other, '../outside', note);
  expect([readdirSync(other.home), readWindowNote(other, '../outside')]).toEqual([['state'], null]);
});

test.each(['', '{', '[]', '{"size":"x"}', 'null'])('ignores invalid notes: %s', (text) => {
  const paths = home();
  mkdirSync(join(paths.state, 'windows'));
  writeFileSync(join(paths.state, 'windows/one'), text);
  expect(readWindowNote(paths, 'one')).toBe(null);
});

test('a new note deletes those of sessions long past', () => {
  const paths = home();
  writeWindowNote(paths, 'old', note);
  utimesSync(join(paths.state, 'windows/old'), 1, 1);
  writeWindowNote(paths, 'new', { ...note, at: Date.now() });
  expect(readdirSync(join(paths.state, 'windows'))).toEqual(['new']);
});
