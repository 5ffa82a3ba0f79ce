import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A small disk that can be filled and made read-only. */
export interface SmallDisk {
  folder: string;
  fill(): void;
  /** Undoes `fill`. */
  free(): void;
  makeReadOnly(): void;
  remove(): void;
}

/** @returns null if this process may not mount one. */
export function mountSmallDisk(size = '3m'): SmallDisk | null {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-test-'));
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${size},mode=700`, 'none', folder]);
  if (mounted.status !== 0) {
    rmSync(folder, { recursive: true });
    return null;
  }
  return {
    folder,
    fill: () => fillUp(join(folder, 'filler')),
    free: () => rmSync(join(folder, 'filler')),
    makeReadOnly() {
      const { status, stderr } = spawnSync('mount', ['-o', 'remount,ro', folder], { encoding: 'utf8' });
      if (status !== 0) throw new Error(stderr);
    },
    remove() {
      spawnSync('umount', ['-l', folder]);
      rmSync(folder, { recursive: true });
    },
  };
}

function fillUp(path: string): void {
  const file = openSync(path, 'w');
  try {
    for (const size of [4096, 1]) writeUntilFull(file, Buffer.alloc(size));
  } finally {
    closeSync(file);
  }
}

function writeUntilFull(file: number, bytes: Buffer): void {
  try {
    for (;;) writeSync(file, bytes);
  } catch {
    // The disk is full.
  }
}
