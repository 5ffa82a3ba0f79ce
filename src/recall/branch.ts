import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readRegularText } from '../platform/read-regular-file.ts';
import type { StoredMemory } from '../store/types/memory.ts';

export interface Branches {
  current?: string;
  main?: string;
}

/** A repository with a million references. */
const MOST_BYTES = 100_000_000;

type OnBranch = Pick<StoredMemory, 'branch' | 'mergedAt'>;

/** Learned on another branch that is not merged yet: it may never apply here. */
export function isOfAnotherBranch({ branch, mergedAt }: OnBranch, { current, main }: Branches): boolean {
  return branch !== null && mergedAt === null && branch !== current && branch !== main;
}

/** Learned on this branch, which is not merged. */
export function isOfThisBranch({ branch, mergedAt }: OnBranch, { current, main }: Branches): boolean {
  return current !== undefined && branch === current && mergedAt === null && branch !== main;
}

/** The remote's default branch, or the usual name that exists; read from git's files. */
export function mainBranch(commonDir: string): string | undefined {
  const remote = /^ref: refs\/remotes\/origin\/(.+)$/m.exec(
    read(join(commonDir, 'refs/remotes/origin/HEAD')),
  );
  if (remote?.[1]) return remote[1].trim();
  const packed = read(join(commonDir, 'packed-refs'));
  return ['main', 'master', 'trunk', 'develop'].find(
    (name) => existsSync(join(commonDir, 'refs/heads', name)) || packed.includes(` refs/heads/${name}\n`),
  );
}

function read(file: string): string {
  return readRegularText(file, { maxBytes: MOST_BYTES }) ?? '';
}
