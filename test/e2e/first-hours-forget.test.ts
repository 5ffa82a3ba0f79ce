import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { packageRoot } from '../../src/platform/installation.ts';
import { pathsOf } from '../../src/platform/paths.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import { runProgram } from '../support/hook-call.ts';
import { type CairnRun, makeRepository, runCairn } from '../support/run-cairn.ts';
import { tempFolder } from '../support/temp.ts';
import { ENDED, openTerminal, type Terminal } from '../support/terminal.ts';

/** Nothing is deleted without consent, and for some days nothing is lost at all. */

let home: string;
let project: string;
let terminal: Terminal | undefined;

beforeEach(() => {
  home = tempFolder();
  project = makeRepository(join(home, 'project'));
  cairn('remember', 'The quokka lanterns are violet. Never paint them green.');
  cairn('remember', 'Plums are not apples.');
});

afterEach(async () => {
  await terminal?.close();
  terminal = undefined;
});

function cairn(...args: string[]): CairnRun {
  return runCairn({ home, cwd: project }, ...args);
}

async function typeOnTerminal(answer: string, ...args: string[]): Promise<string> {
  terminal = await openTerminal([process.execPath, join(packageRoot(), 'dist/cli.mjs'), ...args], {
    cwd: project,
    root: home,
    env: { HOME: home, PATH: process.env.PATH ?? '', CAIRN_NO_WORKER: '1' },
  });
  await terminal.shows('[y/N]');
  await terminal.write(answer);
  await terminal.press('Enter');
  const text = await terminal.shows(ENDED);
  await terminal.close();
  return text;
}

const isThere = (id: string) => cairn('show', id).exitCode === 0;

/** Names of files below Cairn's home that contain the word. */
function filesWith(word: string): string[] {
  return readdirSync(join(home, '.cairn'), { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile())
    .filter((file) => readFileSync(join(file.parentPath, file.name)).toString('latin1').includes(word))
    .map(({ name }) => name);
}

test.each([[['forget', '1']], [['forget', '1', '--json']], [['forget', '1', '--now']]])(
  'without a terminal %j needs --yes',
  (args) => {
    expect(cairn(...args)).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: expect.stringMatching(/^cairn: Forget note 1.*\? Nothing was changed\. .* add --yes\.\n$/),
    });
    expect(isThere('1')).toBe(true);
  },
);

test('on a terminal, Enter means no and y means yes', async () => {
  expect(await typeOnTerminal('', 'forget', '1')).toContain('Nothing was changed.');
  expect(isThere('1')).toBe(true);
  expect(await typeOnTerminal('y', 'forget', '1')).toContain('Forgot: note 1');
  expect(isThere('1')).toBe(false);
});

test('dropping a job needs consent, too', () => {
  expect(cairn('queue', 'drop', 'dead')).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining('add --yes'),
  });
  expect(cairn('queue', 'drop', 'dead', '--yes').stderr).toContain('no such job');
});

test('a forgotten memory disappears at once, and undo restores it unchanged', () => {
  const before = cairn('show', '1', '--json').stdout;
  expect(cairn('forget', '1', '--yes').stdout).toContain('Undo within 7 days: cairn forget --undo 1\n');
  expect(isThere('1')).toBe(false);
  for (const args of [
    ['search', 'quokka'],
    ['recent', '--all'],
    ['timeline'],
    ['context'],
    ['export', '--all'],
    ['stats'],
  ])
    expect(cairn(...args).stdout).not.toContain('lanterns');
  expect(cairn('forget', '--undo').stdout).toMatch(/^#1 .*quokka lanterns/);
  expect(cairn('forget', '--undo', '2')).toEqual({
    exitCode: 1,
    stdout: '',
    stderr: 'cairn: Not in the trash: #2. Nothing was changed. List the trash: cairn forget --undo\n',
  });

  expect(cairn('forget', '--undo', '1')).toEqual({ exitCode: 0, stdout: 'Brought back: #1.\n', stderr: '' });
  expect(cairn('show', '1', '--json').stdout).toBe(before);
  expect(cairn('search', 'quokka').stdout).toContain('quokka');
  expect(cairn('forget', '--undo').stdout).toBe('The trash is empty.\n');
  // Its text does not count as forgotten any more.
  expect(cairn('remember', 'The quokka lanterns are violet. Never paint them green.').stdout).toContain(
    'known',
  );
});

test('undo keeps a memory that was added in the meantime', () => {
  cairn('forget', '1', '2', '--yes');
  cairn('remember', 'Pears are ripe in autumn.');
  expect(cairn('forget', '--undo', '2').stdout).toBe('Brought back: #1, #2.\n');
  expect(['1', '2', '3'].map(isThere)).toEqual([true, true, true]);
});

test('--now removes every byte, also of a memory in the trash', () => {
  cairn('forget', '1', '--yes');
  mkdirSync(join(home, '.cairn/drafts'), { recursive: true });
  writeFileSync(join(home, '.cairn/drafts/memory-1.md'), 'The quokka lanterns');
  expect(filesWith('quokka')).not.toEqual([]);
  expect(cairn('forget', '1', '--now', '--yes')).toMatchObject({ exitCode: 0, stderr: '' });
  expect(filesWith('quokka')).toEqual([]);
  expect(cairn('forget', '2', '--now', '--yes').stdout).not.toContain('Undo');
  expect(filesWith('Plums')).toEqual([]);
  expect(cairn('forget', '--undo', '1').exitCode).toBe(1);
});

test('forget.undoDays 0 keeps no trash', () => {
  cairn('config', 'set', 'forget.undoDays', '0');
  cairn('forget', '1', '--yes');
  expect(filesWith('quokka')).toEqual([]);
});

test('the worker removes every byte when the days for undo are over', async () => {
  cairn('config', 'set', 'worker.idleSeconds', '0');
  cairn('forget', '1', '2', '--yes');
  const work = () =>
    runProgram(process.execPath, [join(packageRoot(), 'dist/worker.cjs')], {
      cwd: home,
      env: { HOME: home, PATH: process.env.PATH ?? '' },
    });
  await work();
  expect(filesWith('quokka')).not.toEqual([]);
  // The same as if the days had passed.
  cairn('config', 'set', 'forget.undoDays', '0');
  await work();
  expect(filesWith('quokka')).toEqual([]);
  expect(filesWith('Plums')).toEqual([]);
  const store = openSqliteStore(pathsOf(join(home, '.cairn')).database);
  expect(store.listTrash()).toEqual([]);
  store.close();
});
