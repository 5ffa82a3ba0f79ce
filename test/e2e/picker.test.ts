import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cairn } from '../support/home-watch.ts';
import { makeHookWorld } from '../support/hook-call.ts';
import { tempFolder } from '../support/temp.ts';
import { ENDED, openTerminal } from '../support/terminal.ts';

const CLI = join(import.meta.dirname, '../../dist/cli.mjs');

test('on a terminal a person types, chooses, opens, and gets the terminal back', async () => {
  const world = makeHookWorld(tempFolder());
  await cairn(world, 'remember', 'The press wants dry apples, wet ones stall it.');
  await cairn(world, 'remember', 'Ladders are counted every evening.');
  const options = { cwd: world.project, env: world.env, root: world.root };
  const terminal = await openTerminal([process.execPath, CLI, 'search'], {
    ...options,
    columns: 80,
    rows: 24,
  });
  try {
    await terminal.shows(/▸ +#\d+ .+ (?:The press|Ladders)/);
    await terminal.write('dry aples');
    await terminal.shows(/> dry aples[\s\S]+▸ +#1 .+The press wants dry apples/);
    await terminal.resize(60, 12);
    await terminal.press('Tab');
    await terminal.shows(/─{60}[\s\S]+#1 note: The press wants dry apples/);
    await terminal.press('Enter');
    const after = await terminal.shows(`${ENDED} 0`);
    // The picker's own screen has gone; the opened memory stays.
    expect(after).toMatch(/^#1 note: The press wants dry apples/m);
    expect(after).not.toContain('Esc leave');
  } finally {
    await terminal.close();
  }
});

test('keys change the scope, copy, pin and forget the chosen memory', async () => {
  const world = makeHookWorld(tempFolder());
  await cairn(world, 'remember', 'The press wants dry apples, wet ones stall it.');
  await cairn(world, 'remember', 'Apples are sorted by size.');
  const options = { cwd: world.project, env: world.env, root: world.root };
  const terminal = await openTerminal([process.execPath, CLI, 'search'], {
    ...options,
    columns: 100,
    rows: 20,
  });
  try {
    await terminal.shows(/\^A scope · \^Y copy · \^T pin · \^X forget/);
    await terminal.press('C-a');
    await terminal.shows(/^every project/m);
    await terminal.write('dry press');
    await terminal.shows(/▸ +#1 .+The press wants dry apples/);
    await terminal.press('C-t');
    await terminal.shows(/#1 is pinned\.[\s\S]+▸ +#1 .+pinned/);
    await terminal.press('C-y');
    await terminal.shows('Copied #1');
    await terminal.press('C-x');
    await terminal.shows('Forget #1? [y/N]');
    await terminal.press('Enter');
    await terminal.shows(/▸ +#1 .+The press/);
    await terminal.press('C-x');
    await terminal.shows('Forget #1? [y/N]');
    await terminal.write('y');
    await terminal.shows('Forgot #1. Undo: ');
    await terminal.press('Escape');
    await terminal.shows(`${ENDED} 0`);
  } finally {
    await terminal.close();
  }
  const { stdout } = await cairn(world, 'recent', '--json');
  expect(JSON.parse(stdout)).toMatchObject([{ id: 2 }]);
});

test.each([
  { key: 'Escape', code: 0 },
  { key: 'C-c', code: 0 },
])('$key exits and leaves nothing on the screen', async ({ key, code }) => {
  const world = makeHookWorld(tempFolder());
  const options = { cwd: world.project, env: world.env, root: world.root };
  const terminal = await openTerminal([process.execPath, CLI, 'search'], options);
  try {
    await terminal.shows('Type to search.');
    await terminal.press(key);
    expect((await terminal.shows(`${ENDED} ${code}`)).trim()).toBe(`${ENDED} ${code}`);
  } finally {
    await terminal.close();
  }
});
