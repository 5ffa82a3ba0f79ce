import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { tempFolder } from '../../test/support/temp.ts';
import { isOfAnotherBranch, isOfThisBranch, mainBranch } from './branch.ts';

const here = { current: 'retry', main: 'main' };

test.each([
  { name: 'of this branch', branch: 'retry', mergedAt: null, is: 'here' },
  { name: 'of this branch, merged before', branch: 'retry', mergedAt: 5, is: 'general' },
  { name: 'of another branch', branch: 'login', mergedAt: null, is: 'elsewhere' },
  { name: 'of another branch that was merged', branch: 'login', mergedAt: 5, is: 'general' },
  { name: 'of the main branch', branch: 'main', mergedAt: null, is: 'general' },
  { name: 'of no branch', branch: null, mergedAt: null, is: 'general' },
])('a memory $name is $is', ({ branch, mergedAt, is }) => {
  const memory = { branch, mergedAt };
  const found = isOfThisBranch(memory, here)
    ? 'here'
    : isOfAnotherBranch(memory, here)
      ? 'elsewhere'
      : 'general';
  expect(found).toBe(is);
});

describe('the main branch is', () => {
  test.each([
    {
      name: 'what the remote says',
      files: { 'refs/remotes/origin/HEAD': 'ref: refs/remotes/origin/release\n', 'refs/heads/main': 'x' },
      is: 'release',
    },
    { name: 'main', files: { 'refs/heads/main': 'x', 'refs/heads/master': 'x' }, is: 'main' },
    { name: 'master', files: { 'refs/heads/master': 'x' }, is: 'master' },
    { name: 'packed', files: { 'packed-refs': '# pack-refs\nabc refs/heads/main\n' }, is: 'main' },
    { name: 'unknown', files: { 'refs/heads/mine': 'x' }, is: undefined },
  ] as { name: string; files: Record<string, string>; is?: string }[])('$name', ({ files, is }) => {
    const gitDir = tempFolder();
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(gitDir, path)), { recursive: true });
      writeFileSync(join(gitDir, path), text);
    }
    expect(mainBranch(gitDir)).toBe(is);
  });
});
