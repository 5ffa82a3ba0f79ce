import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { tempFolder } from '../../../test/support/temp.ts';
import { readCachedOutput } from './cached-output.ts';

function place() {
  const root = tempFolder();
  mkdirSync(join(root, 'state'));
  return { folder: root, kept: join(root, 'state/lines/one'), waitMs: 10_000 };
}

test('returns the output of a fast command and caches it for the owner only', async () => {
  const wanted = { ...place(), command: 'cat; pwd', input: Buffer.from('told ') };
  expect(await readCachedOutput(wanted)).toBe(`told ${wanted.folder}\n`);
  expect(readdirSync(join(wanted.folder, 'state/lines'))).toEqual(['one']);
  expect(statSync(wanted.kept).mode & 0o777).toBe(0o600);
  expect(await readCachedOutput({ ...wanted, command: 'echo new' })).toBe('new\n');
});

test('a late command continues, and its output is used by the next call; until then the last output counts', async () => {
  const wanted = place();
  const go = join(wanted.folder, 'go');
  const slow = `while [ ! -e '${go}' ]; do sleep 0.02; done; echo late; echo run >>'${wanted.folder}/runs'`;
  await readCachedOutput({ ...wanted, command: 'echo first' });
  expect(await readCachedOutput({ ...wanted, command: slow, waitMs: 20 })).toBe('first\n');
  // The command is not started again while it runs.
  expect(await readCachedOutput({ ...wanted, command: slow, waitMs: 20 })).toBe('first\n');
  writeFileSync(go, '');
  await vi.waitFor(() => expect(readFileSync(wanted.kept, 'utf8')).toBe('late\n'), { timeout: 10_000 });
  await vi.waitFor(() => expect(existsSync(`${wanted.kept}.underway`)).toBe(false), { timeout: 10_000 });
  expect(readFileSync(join(wanted.folder, 'runs'), 'utf8')).toBe('run\n');
});

test('starts a command again that never answered', async () => {
  const wanted = { ...place(), command: 'echo again' };
  mkdirSync(join(wanted.folder, 'state/lines'));
  writeFileSync(`${wanted.kept}.underway`, '');
  expect(await readCachedOutput(wanted)).toBe('');
  utimesSync(`${wanted.kept}.underway`, 1, 1);
  expect(await readCachedOutput(wanted)).toBe('again\n');
});

test('does not run the command while its output is fresh', async () => {
  const wanted = { ...place(), freshMs: 60_000 };
  await readCachedOutput({ ...wanted, command: 'echo first' });
  expect(await readCachedOutput({ ...wanted, command: 'echo second' })).toBe('first\n');
});

test.each([
  { name: 'fails', command: 'echo half; exit 3' },
  { name: 'is not there', command: 'no-such-program-at-all' },
  { name: 'prints to stderr only', command: 'echo oops >&2' },
])('a command that $name prints nothing', async ({ command }) => {
  expect(await readCachedOutput({ ...place(), command })).toBe('');
});

test('works if the folder is gone or the command does not read its input', async () => {
  const wanted = { ...place(), command: 'echo here', input: Buffer.alloc(1 << 20) };
  expect(await readCachedOutput({ ...wanted, folder: join(wanted.folder, 'gone') })).toBe('here\n');
});

test('runs the command without a home, and creates no files', async () => {
  const root = tempFolder();
  const wanted = { folder: root, kept: join(root, 'gone/state/lines/one'), waitMs: 10_000 };
  expect(await readCachedOutput({ ...wanted, command: 'cat', input: Buffer.from('x') })).toBe('x');
  expect(await readCachedOutput({ ...wanted, command: 'sleep 5; echo x', waitMs: 20 })).toBe('');
  expect(readdirSync(root)).toEqual([]);
});

test('uses a command with its own environment, and the last output if the command cannot be built', async () => {
  const wanted = place();
  const line = () => ({ command: 'echo "$NAME $HOME."', env: { NAME: 'own' } });
  expect(await readCachedOutput({ ...wanted, command: line })).toBe('own .\n');
  const failing = () => {
    throw new Error('no such repository');
  };
  expect(await readCachedOutput({ ...wanted, command: failing })).toBe('own .\n');
  expect(readdirSync(join(wanted.folder, 'state/lines'))).toEqual(['one']);
});
