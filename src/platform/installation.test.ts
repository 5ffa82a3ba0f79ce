import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, test } from 'vitest';
import { tempFolder } from '../../test/support/temp.ts';
import { findProgram, findStableNode, hookProgram, packageRoot } from './installation.ts';

const repository = realpathSync(fileURLToPath(new URL('../..', import.meta.url)));

let root: string;
beforeEach(() => {
  root = tempFolder();
});

test('the package and its hook program', () => {
  expect(packageRoot()).toBe(repository);
  expect(hookProgram()).toBe(join(repository, 'dist', 'hook.cjs'));
});

describe('the name of node that survives its next upgrade', () => {
  beforeEach(() => {
    for (const folder of ['versions/20', 'bin', 'other', 'link'])
      mkdirSync(join(root, folder), { recursive: true });
    program('versions/20/node');
    program('other/node');
    symlinkSync(join(root, 'versions/20/node'), join(root, 'bin/node'));
  });

  test.each([
    ['a link on the search path', ['other', 'bin', 'versions/20'], 'bin/node'],
    ['the version itself where it stands first', ['versions/20', 'bin'], 'versions/20/node'],
    ['only another node', ['other'], 'versions/20/node'],
    ['an empty search path', [], 'versions/20/node'],
  ])('%s', (_name, folders, expected) => {
    const searchPath = folders.map((folder) => join(root, folder)).join(delimiter);
    expect(findStableNode(searchPath, join(root, 'versions/20/node'))).toBe(join(root, expected));
  });

  test('a relative folder on the search path is passed over', () => {
    const running = join(root, 'versions/20/node');
    expect(findStableNode(['.', 'bin', ''].join(delimiter), running)).toBe(running);
  });
});

describe('finding a program', () => {
  test('the first that can be run', () => {
    for (const folder of ['a', 'b', 'c']) mkdirSync(join(root, folder));
    program('a/tool', 0o644);
    program('b/tool');
    program('c/tool');
    const searchPath = ['', '.', 'a', 'b', 'c'].map((folder) => folder && join(root, folder)).join(delimiter);
    expect(findProgram('tool', searchPath)).toBe(join(root, 'b/tool'));
    expect(findProgram('nothing', searchPath)).toBeNull();
    expect(findProgram('tool', '')).toBeNull();
  });
});

function program(path: string, mode = 0o755): void {
  writeFileSync(join(root, path), '#!/bin/sh\n', { mode });
}
