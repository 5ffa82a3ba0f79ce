import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Handoff } from '../../src/model/work.ts';
import type { SessionDigest } from '../../src/store/types/session.ts';
import { type AgentClient, type OpenClient, openClient } from '../support/agent-client.ts';
import { textOfRequest } from '../support/agent-world.ts';
import type { ChatStep } from '../support/chat-protocol.ts';
import { runSession } from '../support/claude-code.ts';
import { codex, TRUST_HOOKS } from '../support/codex.ts';
import { gemini } from '../support/gemini.ts';
import { openCode } from '../support/opencode.ts';
import { cairn, makeWorld, type World } from '../support/world.ts';

/** Real agents in one project, with one memory: each continues what the one before has handed off. */

interface Hop {
  agent: string;
  /** Runs one session. @returns its first request. */
  work(handedOver: { goal: string; nextSteps: string } | undefined): Promise<string>;
}

const NEXT_STEPS = ['Look behind the barn', 'Walk along the wall', 'Ask the gardener', 'Count the stumps'];
const PROMPT = 'Go on with the pear trees';

let world: World;
const opened: OpenClient[] = [];

beforeAll(async () => {
  world = await makeWorld();
  for (const client of [codex, gemini, openCode]) opened.push(await openClient(client, world));
  await cairn(world, 'install', 'claude-code', 'codex', 'gemini', 'opencode', '--allow-tools', '--yes');
});

afterAll(async () => {
  await Promise.all(opened.map((client) => client.close()));
  await cairn(world, 'worker', 'stop');
  await world.remove();
});

const claudeCode: Hop = {
  agent: 'claude-code',
  async work(input) {
    const call = input ? [[{ tool: 'mcp__cairn__handoff', input, id: 'toolu_handoff' }]] : [];
    const { requests } = await runSession(world, {
      prompts: [PROMPT],
      script: { main: [...call, [{ text: 'Handed over.' }]] },
    });
    return JSON.stringify(requests[0]?.body.messages);
  },
};

function hop({ client: { id } }: AgentClient, at: number, tool: string, flags: string[] = []): Hop {
  return {
    agent: id,
    async work(input) {
      const call: ChatStep[] = input ? [{ call: tool, input }] : [];
      const steps = [...call, { text: 'Handed over.' }];
      const ended = await opened[at]?.runSession(steps, PROMPT, flags);
      return textOfRequest(ended?.requests[0]);
    },
  };
}

test('a handoff passes through four agents and back to the first', async () => {
  const hops = [
    claudeCode,
    hop(codex, 0, 'mcp__cairn/handoff', [TRUST_HOOKS]),
    hop(gemini, 1, 'mcp_cairn_handoff'),
    hop(openCode, 2, 'cairn_handoff'),
    claudeCode,
  ];
  for (const [at, { agent, work }] of hops.entries()) {
    const nextSteps = NEXT_STEPS[at];
    const request = await work(nextSteps ? { goal: 'Count the pear trees', nextSteps } : undefined);
    if (at === 0) continue;
    expect(request, agent).toContain('Count the pear trees');
    expect(request, agent).toContain(NEXT_STEPS[at - 1]);
  }

  const agents = hops.map(({ agent }) => agent);
  const sessions: SessionDigest[] = JSON.parse(await cairn(world, 'sessions', '--json'));
  expect(sessions.map(({ agent }) => agent).reverse()).toEqual(agents);
  const agentOf = (id: string | null) => sessions.find(({ agentSession }) => agentSession === id)?.agent;
  const handoffs: Handoff[] = JSON.parse(await cairn(world, 'handoff', 'list', '--json'));
  expect(
    handoffs.reverse().map(({ number, state, agentSession, givenTo, parts }) => {
      return { number, state, from: agentOf(agentSession), to: agentOf(givenTo), nextSteps: parts.nextSteps };
    }),
  ).toEqual(
    NEXT_STEPS.map((nextSteps, at) => {
      return { number: at + 1, state: 'taken', from: agents[at], to: agents[at + 1], nextSteps: [nextSteps] };
    }),
  );
});
