import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { tempFolder } from '../../test/support/temp.ts';
import { type Paths, pathsOf } from '../platform/paths.ts';
import {
  listSpool,
  listTornFiles,
  readSpoolFile,
  removeOldTornFiles,
  removeSpoolFile,
  setSpoolFileAside,
  sortByTime,
  writeSpoolFile,
} from './spool.ts';

const MINUTE = 60_000;
const DAY = 86_400_000;
const NOW = Date.UTC(2026, 10, 15);
const HEADER = { agent: 'claude-code', hook: 'Stop', via: 'settings' };

let paths: Paths;
beforeEach(() => {
  paths = pathsOf(join(tempFolder(), 'home'));
});

describe('writing and reading', () => {
  test.each([
    ['text', Buffer.from('{"a":"ü"}')],
    ['an empty payload', Buffer.alloc(0)],
    ['binary data', Buffer.from([0, 255, 10, 10, 35, 0])],
    ['a payload that ends like an end mark', Buffer.from('x\n#none.1\n')],
  ])('%s is read back unchanged', (_name, payload) => {
    const name = writeSpoolFile(paths, { ...HEADER, projectDir: '/a b/c' }, 's1', payload);
    age(name, 5_000);
    expect(readSpoolFile(paths, name, NOW)).toEqual({
      ...HEADER,
      name,
      at: NOW - 5_000,
      projectDir: '/a b/c',
      payload,
    });
    expect(statSync(join(paths.spool, name)).mode & 0o777).toBe(0o600);
    expect(statSync(paths.spool).mode & 0o777).toBe(0o700);
  });

  test.each([
    ['a usual id', '5a531191-a0d2', '5a531191-a0d2'],
    ['no id', undefined, 'none'],
    ['a path', '../../x', 'none'],
    ['an id that is too long', 'a'.repeat(41), 'none'],
  ])('the file name begins with the session: %s', (_name, session, owner) => {
    const name = writeSpoolFile(paths, HEADER, session, Buffer.from('{}'));
    expect(name).toMatch(new RegExp(`^${owner}\\.[0-9a-f-]{36}$`));
    expect(listSpool(paths)).toEqual([name]);
  });

  test('replaces characters that would break the header', () => {
    const hostile = { agent: 'a b\nc', hook: '', via: 'x'.repeat(200), projectDir: 'one\ntwo' };
    const name = writeSpoolFile(paths, hostile, undefined, Buffer.from('{}'));
    expect(readSpoolFile(paths, name, NOW)).toMatchObject({
      agent: 'a_b_c',
      hook: '_',
      via: 'x'.repeat(100),
    });
    expect(readSpoolFile(paths, name, NOW)).not.toHaveProperty('projectDir');
  });

  test('throws if the spool folder cannot be made', () => {
    mkdirSync(paths.home, { recursive: true });
    writeFileSync(paths.spool, 'in the way');
    expect(() => writeSpoolFile(paths, HEADER, 's1', Buffer.from('{}'))).toThrow('EEXIST');
    expect(readFileSync(paths.spool, 'utf8')).toBe('in the way');
  });
});

const unchanged = (text: string) => text;

describe('incomplete files', () => {
  test.each([
    ['recent and without end mark: may still be written', 'cairn1 a b c \n{"a":', MINUTE - 1, null],
    ['old and without end mark', 'cairn1 a b c \n{"a":', MINUTE + 1, 'torn'],
    ['empty', '', MINUTE + 1, 'torn'],
    ["another file's end mark", 'cairn1 a b c \n{}\n#s1.other\n', MINUTE + 1, 'torn'],
    ['a truncated end mark', 'cairn1 a b c \n{}\n#s1.fil', MINUTE + 1, 'torn'],
    ['another format', 'cairn9 a b c \n{}\n#s1.file\n', MINUTE + 1, 'torn'],
    ['a header that lacks a field', 'cairn1 a\n{}\n#s1.file\n', MINUTE + 1, 'torn'],
  ])('%s', (_name, content, old, expected) => {
    put('s1.file', content, old);
    expect(readSpoolFile(paths, 's1.file', NOW)).toBe(expected);
  });

  test('a missing file is ignored', () => {
    expect(readSpoolFile(paths, 's1.gone', NOW)).toBeNull();
    setSpoolFileAside(paths, 's1.gone', unchanged);
    removeSpoolFile(paths, 's1.gone');
    expect(listTornFiles(paths)).toEqual([]);
  });

  test('are set aside and removed after a week', () => {
    put('s1.young', 'torn', 6 * DAY);
    put('s1.old', 'torn', 8 * DAY);
    setSpoolFileAside(paths, 's1.young', unchanged);
    setSpoolFileAside(paths, 's1.old', unchanged);
    expect(listSpool(paths)).toEqual([]);
    expect(listTornFiles(paths).sort()).toEqual(['s1.old', 's1.young']);
    removeOldTornFiles(paths, NOW);
    expect(listTornFiles(paths)).toEqual(['s1.young']);
  });
});

describe('listing', () => {
  test('returns nothing without a spool and does not create it', () => {
    expect(listSpool(paths)).toEqual([]);
    removeOldTornFiles(paths, NOW);
    expect(existsSync(paths.home)).toBe(false);
  });

  test('sorts by time and leaves out folders and missing files', () => {
    put('s1.second', '2', 2_000);
    put('s1.first', '1st', 3_000);
    mkdirSync(join(paths.spool, 'a.folder'));
    const names = [...listSpool(paths), 's1.gone'];
    expect(sortByTime(paths, names)).toEqual([
      { name: 's1.first', at: NOW - 3_000, size: 3 },
      { name: 's1.second', at: NOW - 2_000, size: 1 },
    ]);
    removeSpoolFile(paths, 's1.first');
    rmSync(join(paths.spool, 'a.folder'), { recursive: true });
    expect(readdirSync(paths.spool)).toEqual(['s1.second']);
  });
});

function put(name: string, content: string, old: number): void {
  mkdirSync(paths.spool, { recursive: true });
  writeFileSync(join(paths.spool, name), content);
  age(name, old);
}

function age(name: string, old: number): void {
  const seconds = (NOW - old) / 1000;
  utimesSync(join(paths.spool, name), seconds, seconds);
}
