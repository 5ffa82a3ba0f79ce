import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { StoredEvent } from '../../src/store/types/event.ts';
import type { SessionDigest } from '../../src/store/types/session.ts';
import type { AgentRig } from './agent-checks.ts';
import { type AgentWorld, cairnIn } from './agent-world.ts';
import type { ChatStep } from './chat-protocol.ts';

const PROMPT = 'how many trees are in the orchard';
const LAST_WORDS = 'There are two trees in the orchard.';
const REPORT = 'I counted two trees, an apple and a pear.';

export interface Delegation {
  /** The agent calls a subagent, and waits for it if the call itself does not. */
  steps: ChatStep[];
  /** The subagent's call before its report. */
  work: ChatStep;
  /** More flags for the client, after those of `run`. */
  flags?: string[];
  /** The calls of both, sorted. */
  calls: string[];
}

/** Tests a session of the real client with a subagent: captured by hooks, and imported from the transcripts alone. */
export function checkSubagents(
  id: string,
  rig: AgentRig,
  { steps, work, flags = [], calls }: Delegation,
): void {
  test('the session has the calls and the report of its subagent', async () => {
    const { exitCode, stderr } = await rig.client.runSession(
      [...steps, { text: LAST_WORDS }],
      PROMPT,
      flags,
      [work, { text: REPORT }],
    );
    expect({ exitCode, errors: exitCode === 0 ? '' : stderr }).toEqual({ exitCode: 0, errors: '' });
    const expected = { prompts: 1, calls, reports: [REPORT], answers: [LAST_WORDS] };
    await expect
      .poll(() => readDelegated(rig.world, id), { timeout: 30_000, interval: 200 })
      .toEqual([expected]);

    const elsewhere = {
      ...rig.world,
      env: { ...rig.world.env, CAIRN_HOME: join(rig.world.root, 'home-of-subagents') },
    };
    await cairnIn(elsewhere, ['import', id]);
    expect(await readDelegated(elsewhere, id)).toEqual([expected]);
    // Events that hooks have reported are not imported again.
    await cairnIn(rig.world, ['import', id]);
    expect(await readDelegated(rig.world, id)).toEqual([expected]);
  });
}

/** The sessions that mention the two trees, including a subagent's own if there is one. */
async function readDelegated(world: AgentWorld, id: string) {
  const sessions: SessionDigest[] = JSON.parse(await cairnIn(world, ['sessions', '--json']));
  const own = sessions.filter(({ agent }) => agent === id);
  const shown = own.map(async ({ agentSession, prompts }) => {
    const events: StoredEvent[] = JSON.parse(await cairnIn(world, ['show', agentSession, '--json'])).events;
    return { prompts, events };
  });
  const all = await Promise.all(shown);
  const isDelegated = ({ events }: { events: StoredEvent[] }) => JSON.stringify(events).includes('two trees');
  return all.filter(isDelegated).map(({ prompts, events }) => ({
    prompts,
    calls: events
      .filter(({ kind }) => kind === 'tool-end')
      .map(({ tool, outcome, subagent }) => `${tool} ${outcome}${subagent === null ? '' : ' of a subagent'}`)
      // Agent and subagent work at the same time.
      .sort(),
    reports: events.flatMap(({ kind, text }) => (kind === 'subagent-end' ? [text] : [])),
    answers: events.flatMap(({ kind, text }) => (kind === 'turn-end' ? [text] : [])),
  }));
}
