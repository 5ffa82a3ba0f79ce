import { afterAll, beforeAll, expect, test } from 'vitest';
import { installCodex, prepareCodex, runCodex } from '../support/codex.ts';
import { installGemini, prepareGemini, runGemini } from '../support/gemini.ts';
import { cairn, makeWorld, type World } from '../support/world.ts';

/** Two real agents in one project, with one memory. */

let world: World;

beforeAll(async () => {
  world = await makeWorld(undefined, undefined, installCodex());
  await prepareCodex(world);
  await prepareGemini(world);
  await cairn(world, 'install', 'codex', 'gemini', '--allow-tools');
});
afterAll(() => world.remove());

test('a handoff that Codex saves continues in Gemini CLI', async () => {
  const steps = [
    {
      tool: 'mcp__cairn/handoff',
      input: { goal: 'Count the pear trees', nextSteps: 'Look behind the barn first' },
    },
    { text: 'Handed over.' },
  ];
  const trusting = ['--dangerously-bypass-hook-trust'];
  await runCodex(world, world.client, 'Hand this over', steps, trusting);

  const { requests } = await runGemini(world, await installGemini(), 'Go on with the pear trees', [
    { text: 'I look behind the barn.' },
  ]);
  const first = JSON.stringify(requests[0]?.contents);
  expect(first).toContain('Count the pear trees');
  expect(first).toContain('Look behind the barn first');
  expect(await cairn(world, 'handoff', 'list')).not.toContain('pending');
});
