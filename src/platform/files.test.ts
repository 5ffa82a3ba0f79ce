import { existsSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tempFolder } from '../../test/support/temp.ts';
import { makePrivateFolder } from './files.ts';

describe('makePrivateFolder', () => {
  it('creates the folder and its missing parents, for the owner only', () => {
    const root = tempFolder();
    const folder = join(root, 'a/b/c');
    makePrivateFolder(folder);
    makePrivateFolder(folder);
    expect(['a', 'a/b', 'a/b/c'].map((name) => statSync(join(root, name)).mode & 0o777)).toEqual([
      0o700, 0o700, 0o700,
    ]);
  });

  it('accepts a link to a folder', () => {
    const root = tempFolder();
    mkdirSync(join(root, 'real'));
    symlinkSync('real', join(root, 'link'));
    makePrivateFolder(join(root, 'link/below'));
    expect(existsSync(join(root, 'real/below'))).toBe(true);
  });

  it.each([
    { name: 'a file in its place', path: 'file', code: 'EEXIST' },
    { name: 'a file as its parent', path: 'file/below', code: 'ENOTDIR' },
    { name: 'a link to nothing as its parent', path: 'dangling/below', code: 'EEXIST' },
  ])('throws for $name', ({ path, code }) => {
    const root = tempFolder();
    writeFileSync(join(root, 'file'), '');
    symlinkSync('nowhere', join(root, 'dangling'));
    expect(() => makePrivateFolder(join(root, path))).toThrow(expect.objectContaining({ code }));
  });

  it.runIf(existsSync('/proc/self'))('throws where mkdir reports a missing parent that exists', () => {
    expect(() => makePrivateFolder('/proc/cairn/state')).toThrow(
      expect.objectContaining({ code: 'ENOENT', path: '/proc/cairn' }),
    );
  });
});
