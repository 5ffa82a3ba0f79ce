import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { tempFolder } from '../../test/support/temp.ts';
import { readRegularFile, readRegularIfThere, readRegularText } from './read-regular-file.ts';

const LIMIT = { maxBytes: 5_000 };

let folder: string;
beforeEach(() => {
  folder = tempFolder();
});

describe('readRegularFile', () => {
  it.each([0, 1, 1_023, 1_024, 1_025, 4_999, 5_000])('reads a whole file of %d bytes', (size) => {
    const path = join(folder, 'file');
    const content = Buffer.alloc(size, 'abc');
    writeFileSync(path, content);
    expect(readRegularFile(path, LIMIT)).toEqual(content);
  });

  it('follows a link and returns text', () => {
    writeFileSync(join(folder, 'file'), 'größe');
    symlinkSync('file', join(folder, 'link'));
    expect(readRegularText(join(folder, 'link'), LIMIT)).toBe('größe');
  });

  it.runIf(process.platform === 'linux')('reads a file that reports no size', () => {
    expect(readRegularText('/proc/sys/kernel/random/uuid', LIMIT)).toMatch(/^[0-9a-f-]{36}\n$/);
  });

  const others: [string, (path: string) => void, boolean][] = [
    ['a missing file', () => {}, false],
    ['a dangling link', (path) => symlinkSync('nothing', path), false],
    ['a folder', (path) => mkdirSync(path), true],
    ['a file above the limit', (path) => writeFileSync(path, Buffer.alloc(5_001)), true],
    ['a sparse file of a terabyte', (path) => sparse(path), true],
    ['a FIFO', (path) => execFileSync('mkfifo', [path]), true],
    ['a link to a FIFO', (path) => linkToFifo(path), true],
    ['a device', (path) => symlinkSync('/dev/zero', path), true],
  ];

  it.skipIf(process.platform === 'win32').each(others)('returns null for %s', (_name, make, isThere) => {
    const path = join(folder, 'path');
    make(path);
    expect(readRegularFile(path, LIMIT)).toBeNull();
    if (isThere) expect(() => readRegularIfThere(path, LIMIT)).toThrow(`${path} is not a regular file`);
    else expect(readRegularIfThere(path, LIMIT)).toBeNull();
  });
});

function sparse(path: string): void {
  writeFileSync(path, '');
  truncateSync(path, 1e12);
}

function linkToFifo(path: string): void {
  execFileSync('mkfifo', [`${path}-target`]);
  symlinkSync(`${path}-target`, path);
}
