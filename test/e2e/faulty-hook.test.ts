import { afterAll, expect, test } from 'vitest';
import { runSession } from '../support/claude-code.ts';
import { plantFaultyHook } from '../support/faulty-hook.ts';
import { cairn, makeConnectedWorld, type World } from '../support/world.ts';

// The other agents have this among the checks of each: test/support/agent-checks.ts.

let world: World | undefined;
afterAll(async () => {
  if (world) await cairn(world, 'worker', 'stop');
  await world?.remove();
});

test('Claude Code works on when a hook hangs, prints garbage or is killed', async () => {
  world = await makeConnectedWorld({ env: { CAIRN_NO_WORKER: '1' } });
  const hook = plantFaultyHook(world);
  const { exitCode, printed, requests } = await runSession(world, {
    prompts: ['are you there'],
    script: {
      main: [[{ tool: 'Bash', input: { command: 'echo hello' }, id: 'toolu_1' }], [{ text: 'Still here.' }]],
    },
  }).finally(() => hook.end());
  expect(hook.deeds()).toEqual(expect.arrayContaining(['hangs', 'garbage', 'killed']));
  expect({ exitCode, asked: requests.filter(({ queue }) => queue === 'main').length }).toEqual({
    exitCode: 0,
    asked: 2,
  });
  expect(JSON.stringify(printed)).toContain('Still here.');
});
