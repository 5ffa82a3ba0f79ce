import { expect, test } from 'vitest';
import { install, run, useHome } from '../../../test/support/install-home.ts';
import type { Command } from './command.ts';
import { isServerRegistered } from './registered-server.ts';

useHome();

test('tells the servers of different agents apart', async () => {
  const seen: Record<string, boolean[]> = {};
  const look = (name: string): Command => ({
    ...{ name: 'look', summary: '', usage: '', options: {} },
    run: (call) => {
      seen[name] = ['claude-code', 'qwen', 'no-such-agent'].map((agent) => isServerRegistered(call, agent));
      return 0;
    },
  });
  await run(look('before'), []);
  await run(install(), ['qwen'], { yes: true });
  await run(look('with qwen'), []);
  await run(install(), ['claude-code'], { yes: true });
  await run(look('with both'), []);
  expect(seen).toEqual({
    before: [false, false, false],
    'with qwen': [false, true, false],
    'with both': [true, true, false],
  });
});
