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
  /** The agent asks a subagent, and waits for it if the call itself does not. */
  steps: ChatStep[];
  /** What the subagent does, before its report. */
  work: ChatStep;
  /** For the client, beside what `run` has. */
  flags?: string[];
  /** The calls of both, sorted. */
  calls: string[];
}

/** A session of the real client in which the agent asks a subagent: with hooks, and from the transcripts alone. */
export function checkSubagents(
  id: string,
  rig: AgentRig,
  { steps, work, flags = [], calls }: Delegation,
): void {
  test('what a subagent did and found belongs to the session that asked it', async () => {
    const { exitCode, stderr } = await rig.client.runSession(
      [...steps, { text: LAST_WORDS }],
      PROMPT,
      flags,
      [work, { text: REPORT }],
    );
    expect({ exitCode, told: exitCode === 0 ? '' : stderr }).toEqual({ exitCode: 0, told: '' });
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
    // What hooks have reported is not imported again.
    await cairnIn(rig.world, ['import', id]);
    expect(await readDelegated(rig.world, id)).toEqual([expected]);
  });
}

/** The sessions in which something of a subagent is, or of which it is the whole. */
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
      // The two work at the same time.
      .sort(),
    reports: events.flatMap(({ kind, text }) => (kind === 'subagent-end' ? [text] : [])),
    answers: events.flatMap(({ kind, text }) => (kind === 'turn-end' ? [text] : [])),
  }));
}
