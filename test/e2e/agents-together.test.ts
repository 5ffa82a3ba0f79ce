import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type OpenClient, openClient } from '../support/agent-client.ts';
import {
  type AgentWorld,
  cairnIn,
  makeAgentWorld,
  readCaptured,
  removeAgentWorld,
  startProject,
  writeJson,
} from '../support/agent-world.ts';
import type { ChatStep } from '../support/chat-protocol.ts';
import { codex, TRUST_HOOKS } from '../support/codex.ts';
import { copilot } from '../support/copilot.ts';
import { gemini } from '../support/gemini.ts';

/** Several agents share a project, a memory or hooks: each event is captured once, for the agent that it came from. */

const KINDS = ['session-start', 'turn-end', 'session-end'];
const POLL = { timeout: 30_000, interval: 200 };
let world: AgentWorld;
let opened: OpenClient[];

beforeEach(async () => {
  world = makeAgentWorld();
  opened = [];
  await startProject(world);
});

afterEach(async () => {
  for (const client of opened) await client.close();
  await removeAgentWorld(world);
});

async function open(agent: Parameters<typeof openClient>[0]): Promise<OpenClient> {
  const client = await openClient(agent, world);
  opened.push(client);
  return client;
}

/** Waits until the other agent has come as far. */
const meet = (own: string, other: string) =>
  `touch ${own}; timeout 60 sh -c 'until [ -e ${other} ]; do sleep 0.1; done'`;

test('two agents run at the same time in the same project', async () => {
  const [first, second] = [await open(codex), await open(gemini)];
  await cairnIn(world, ['install', 'codex', 'gemini', '--allow-tools', '--yes']);
  const codexSteps: ChatStep[] = [
    {
      call: 'exec_command',
      input: { cmd: meet('codex-was-here', 'gemini-was-here'), yield_time_ms: 60_000 },
    },
    { call: 'mcp__cairn/remember', input: { text: 'The pears of the orchard are counted by Codex.' } },
    { text: 'Codex has met Gemini.' },
  ];
  const geminiSteps: ChatStep[] = [
    {
      call: 'run_shell_command',
      input: { command: meet('gemini-was-here', 'codex-was-here'), description: 'meet' },
    },
    { call: 'mcp_cairn_remember', input: { text: 'The plums of the orchard are counted by Gemini.' } },
    { text: 'Gemini has met Codex.' },
  ];
  const ended = await Promise.all([
    first.runSession(codexSteps, 'count the pears', [TRUST_HOOKS]),
    second.runSession(geminiSteps, 'count the plums'),
  ]);
  expect(ended.map(({ exitCode }) => exitCode)).toEqual([0, 0]);
  await expect
    .poll(() => readCaptured(world, 'codex'), POLL)
    .toEqual({
      kinds: KINDS,
      prompts: ['count the pears'],
      calls: ['Bash success', 'mcp__cairn__remember success'],
    });
  await expect
    .poll(() => readCaptured(world, 'gemini'), POLL)
    .toEqual({
      kinds: KINDS,
      prompts: ['count the plums'],
      calls: ['run_shell_command success', 'mcp_cairn_remember success'],
    });
});

test("an agent that also runs Claude Code's hooks is captured once", async () => {
  const client = await open(copilot);
  const other = { type: 'command', command: 'touch hook-of-claude-code-ran' };
  writeJson(join(world.project, '.claude/settings.json'), { hooks: { Stop: [{ hooks: [other] }] } });
  await cairnIn(world, ['install', 'claude-code', '--project', '--yes']);
  await cairnIn(world, ['install', 'copilot', '--yes']);
  const call = { call: 'bash', input: { command: 'ls', description: 'list' } };
  const { exitCode } = await client.runSession([call, { text: 'There it is.' }], 'list the files', [
    '--trust-folder',
  ]);
  expect({ exitCode, ran: existsSync(join(world.project, 'hook-of-claude-code-ran')) }).toEqual({
    exitCode: 0,
    ran: true,
  });
  expect(await readCaptured(world, 'copilot')).toEqual({
    kinds: KINDS,
    prompts: ['list the files'],
    calls: ['bash success'],
  });
  expect(await readCaptured(world, 'claude-code')).toEqual({ kinds: [], prompts: [], calls: [] });
});
