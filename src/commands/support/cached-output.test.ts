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

test('what is done in time is printed as it came, and kept for its owner only', async () => {
  const wanted = { ...place(), command: 'cat; pwd', input: Buffer.from('told ') };
  expect(await readCachedOutput(wanted)).toBe(`told ${wanted.folder}\n`);
  expect(readdirSync(join(wanted.folder, 'state/lines'))).toEqual(['one']);
  expect(statSync(wanted.kept).mode & 0o777).toBe(0o600);
  expect(await readCachedOutput({ ...wanted, command: 'echo new' })).toBe('new\n');
});

test('who is late goes on, and is heard the next time; meanwhile its last words count', async () => {
  const wanted = place();
  const go = join(wanted.folder, 'go');
  const slow = `while [ ! -e '${go}' ]; do sleep 0.02; done; echo late; echo run >>'${wanted.folder}/runs'`;
  await readCachedOutput({ ...wanted, command: 'echo first' });
  expect(await readCachedOutput({ ...wanted, command: slow, waitMs: 20 })).toBe('first\n');
  // Nobody is started while it runs.
  expect(await readCachedOutput({ ...wanted, command: slow, waitMs: 20 })).toBe('first\n');
  writeFileSync(go, '');
  await vi.waitFor(() => expect(readFileSync(wanted.kept, 'utf8')).toBe('late\n'), { timeout: 10_000 });
  await vi.waitFor(() => expect(existsSync(`${wanted.kept}.underway`)).toBe(false), { timeout: 10_000 });
  expect(readFileSync(join(wanted.folder, 'runs'), 'utf8')).toBe('run\n');
});

test('who never answers is asked again after a while', async () => {
  const wanted = { ...place(), command: 'echo again' };
  mkdirSync(join(wanted.folder, 'state/lines'));
  writeFileSync(`${wanted.kept}.underway`, '');
  expect(await readCachedOutput(wanted)).toBe('');
  utimesSync(`${wanted.kept}.underway`, 1, 1);
  expect(await readCachedOutput(wanted)).toBe('again\n');
});

test('what is fresh enough is not asked for', async () => {
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

test('a folder that is gone, and input that nobody reads, do no harm', async () => {
  const wanted = { ...place(), command: 'echo here', input: Buffer.alloc(1 << 20) };
  expect(await readCachedOutput({ ...wanted, folder: join(wanted.folder, 'gone') })).toBe('here\n');
});

test('where there is no home nothing is made, and it is asked all the same', async () => {
  const root = tempFolder();
  const wanted = { folder: root, kept: join(root, 'gone/state/lines/one'), waitMs: 10_000 };
  expect(await readCachedOutput({ ...wanted, command: 'cat', input: Buffer.from('x') })).toBe('x');
  expect(await readCachedOutput({ ...wanted, command: 'sleep 5; echo x', waitMs: 20 })).toBe('');
  expect(readdirSync(root)).toEqual([]);
});

test('a line with an environment of its own, and one that cannot be made', async () => {
  const wanted = place();
  const line = () => ({ command: 'echo "$NAME $HOME."', env: { NAME: 'own' } });
  expect(await readCachedOutput({ ...wanted, command: line })).toBe('own .\n');
  const failing = () => {
    throw new Error('no such repository');
  };
  expect(await readCachedOutput({ ...wanted, command: failing })).toBe('own .\n');
  expect(readdirSync(join(wanted.folder, 'state/lines'))).toEqual(['one']);
});
