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

test('finds the package root and the hook program', () => {
  expect(packageRoot()).toBe(repository);
  expect(hookProgram()).toBe(join(repository, 'dist', 'hook.cjs'));
});

describe('findStableNode', () => {
  beforeEach(() => {
    for (const folder of ['versions/20', 'bin', 'other', 'link'])
      mkdirSync(join(root, folder), { recursive: true });
    program('versions/20/node');
    program('other/node');
    symlinkSync(join(root, 'versions/20/node'), join(root, 'bin/node'));
  });

  test.each([
    ['prefers a link on the search path', ['other', 'bin', 'versions/20'], 'bin/node'],
    [
      'returns the running node if it comes first on the search path',
      ['versions/20', 'bin'],
      'versions/20/node',
    ],
    ['returns the running node if only another node is on the search path', ['other'], 'versions/20/node'],
    ['returns the running node for an empty search path', [], 'versions/20/node'],
  ])('%s', (_name, folders, expected) => {
    const searchPath = folders.map((folder) => join(root, folder)).join(delimiter);
    expect(findStableNode(searchPath, join(root, 'versions/20/node'))).toBe(join(root, expected));
  });

  test('ignores relative folders on the search path', () => {
    const running = join(root, 'versions/20/node');
    expect(findStableNode(['.', 'bin', ''].join(delimiter), running)).toBe(running);
  });
});

describe('findProgram', () => {
  test('returns the first executable file', () => {
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
