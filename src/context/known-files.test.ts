import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { tempFolder } from '../../test/support/temp.ts';
import { type Paths, pathsOf } from '../platform/paths.ts';
import { dropKnownFile, removeOldLists, writeKnownFiles } from './known-files.ts';

const SESSION = 'session-1';

describe('the list of known files of a session', () => {
  let paths: Paths;
  beforeEach(() => {
    paths = pathsOf(tempFolder());
  });

  test.each([
    ['src/a.ts', '/home/me/shop/src/a.ts', true],
    ['src/a.ts', '/src/a.ts', true],
    ['src/a.ts', '/home/me/shop/src/a.tsx', false],
    ['src/a.ts', '/home/me/shop/mysrc/a.ts', false],
    ['/etc/hosts', '/etc/hosts', true],
    ['/etc/hosts', '/root/etc/hosts', false],
    ["my docs/it's (1).md", "/home/me/my docs/it's (1).md", true],
    ['öl/über.ts', '/home/me/öl/über.ts', true],
    ['$(touch x)`id`;|&\n*.ts', '/home/me/$(touch x)`id`;|&\n*.ts', true],
    ['a[b]?.ts', '/home/me/a[b]?.ts', true],
  ])('with %j in the list, %j is known: %s', (file, path, isKnown) => {
    writeKnownFiles(paths, SESSION, ['src/other.ts', file]);
    expect(shellKnows(path)).toBe(isKnown);
  });

  test('is readable by its owner only, and is removed when it is empty', () => {
    writeKnownFiles(paths, SESSION, ['src/a.ts', 'src/b.ts']);
    expect(statSync(list()).mode & 0o777).toBe(0o600);
    dropKnownFile(paths, SESSION, 'src/a.ts');
    expect([shellKnows('/x/src/a.ts'), shellKnows('/x/src/b.ts')]).toEqual([false, true]);
    dropKnownFile(paths, SESSION, 'src/b.ts');
    dropKnownFile(paths, SESSION, 'src/b.ts');
    expect(existsSync(list())).toBe(false);
    writeKnownFiles(paths, SESSION, ['src/a.ts']);
    writeKnownFiles(paths, SESSION, []);
    expect(readdirSync(paths.knownFiles)).toEqual([]);
  });

  test.each(['../escape', 'a/b', '', 'x'.repeat(41), 'sö'])(
    'is not written for the session id %j',
    (session) => {
      writeKnownFiles(paths, session, ['src/a.ts']);
      expect(existsSync(paths.knownFiles)).toBe(false);
    },
  );

  test('is removed by age', () => {
    mkdirSync(paths.knownFiles, { recursive: true });
    writeKnownFiles(paths, SESSION, ['src/a.ts']);
    writeKnownFiles(paths, 'old', ['src/a.ts']);
    utimesSync(join(paths.knownFiles, 'old'), 1, 1);
    removeOldLists(paths, Date.now());
    expect(readdirSync(paths.knownFiles)).toEqual([SESSION]);
    removeOldLists(pathsOf('/nowhere'), Date.now());
  });

  function list(): string {
    return join(paths.knownFiles, SESSION);
  }

  /** Tests a path like capture.sh. */
  function shellKnows(path: string): boolean {
    const script = 'cairn_path=$1; cairn_known=; . "$2"; [ -n "$cairn_known" ]';
    const { status, stderr } = spawnSync('/bin/sh', ['-c', script, 'sh', path, list()], { encoding: 'utf8' });
    expect(stderr).toBe('');
    return status === 0;
  }
});
