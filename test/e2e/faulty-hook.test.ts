import { afterAll, beforeAll, expect, test } from 'vitest';
import { runSession } from '../support/claude-code.ts';
import { plantFaultyHook, plantHangingHook } from '../support/faulty-hook.ts';
import { until } from '../support/until.ts';
import { cairn, makeConnectedWorld, type World } from '../support/world.ts';

// test/support/agent-checks.ts tests the same for the other agents.

let world: World;
beforeAll(async () => {
  world = await makeConnectedWorld({ env: { CAIRN_NO_WORKER: '1' } });
});
afterAll(async () => {
  await cairn(world, 'worker', 'stop');
  await world.remove();
});

test('Claude Code continues when a hook hangs, prints garbage or is killed', async () => {
  const hook = plantFaultyHook(world);
  await checkUndisturbed().finally(() => hook.end());
  expect(hook.deeds()).toEqual(expect.arrayContaining(['hangs', 'garbage', 'killed']));
});

test('Claude Code ends hooks that hang at every event, and continues', async () => {
  const hook = plantHangingHook(world);
  try {
    await checkUndisturbed();
    expect(hook.count()).toBeGreaterThan(1);
    await until('the end of every hook', () => (hook.listAlive().length === 0 ? true : undefined));
  } finally {
    hook.end();
  }
});

async function checkUndisturbed(): Promise<void> {
  const { exitCode, printed, requests } = await runSession(world, {
    prompts: ['are you there'],
    script: {
      main: [[{ tool: 'Bash', input: { command: 'echo hello' }, id: 'toolu_1' }], [{ text: 'Still here.' }]],
    },
  });
  expect({ exitCode, asked: requests.filter(({ queue }) => queue === 'main').length }).toEqual({
    exitCode: 0,
    asked: 2,
  });
  expect(JSON.stringify(printed)).toContain('Still here.');
}
