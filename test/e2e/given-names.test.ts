import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cairn } from '../support/home-watch.ts';
import { afterIntake, callHook, makeHookWorld, recorded } from '../support/hook-call.ts';
import { findLeaks } from '../support/leaks.ts';
import { tempFolder } from '../support/temp.ts';
import { until } from '../support/until.ts';

const inBranch = ['ghp', 'a1B2c3D4e5F6g7H8i9J0kLmNoPqRsTuVwXyZ'].join('_');
const inFile = ['ghp', 'Z9y8X7w6V5u4T3s2R1q0PoNmLkJiHgFeDcBa'].join('_');

test('a stored context has no secrets from the names of branches and files', async () => {
  const world = makeHookWorld(tempFolder());
  const git = join(world.project, '.git');
  mkdirSync(git);
  writeFileSync(join(git, 'HEAD'), `ref: refs/heads/fix-${inBranch}\n`);
  writeFileSync(join(git, 'config'), '[core]\n\tbare = false\n');
  const file = join(world.project, `press-${inFile}.ts`);
  writeFileSync(file, 'export {};\n');
  await cairn(world, 'remember', 'The apple press drops its screws.', '--type', 'gotcha', '--file', file);

  const call = async (event: string, payload: string, changes: object = {}) => {
    const answer = await until(`an answer to ${event}`, async () => {
      const input = recorded(`events/${payload}`, {
        session_id: `s-${serial++}`,
        cwd: world.project,
        ...changes,
      });
      const { stdout } = await callHook(world, 'node', event, { input });
      return stdout === '' ? undefined : stdout;
    });
    expect(answer).toContain('drops its screws');
  };
  await call('SessionStart', 'SessionStart.startup');
  await call('UserPromptSubmit', 'UserPromptSubmit', { prompt: 'why does the apple press drop its screws?' });
  afterIntake(world, (store) => {
    expect(store.listGivenContexts({}, 10).map(({ source }) => source)).toEqual(['prompt', 'start']);
  });
  expect(
    findLeaks(world.home, [
      { name: 'branch', secret: inBranch },
      { name: 'file', secret: inFile },
    ]),
  ).toEqual([]);
});

let serial = 1;
