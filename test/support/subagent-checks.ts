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
  /** The call with which the agent asks a subagent. */
  call: ChatStep;
  /** What the subagent does, before its report. */
  work: ChatStep;
  /** The call of the subagent and that of the agent, as they are stored. */
  calls: [ofSubagent: string, ofAgent: string];
}

/** A session of the real client in which the agent asks a subagent: with hooks, and from the transcripts alone. */
export function checkSubagents(id: string, rig: AgentRig, { call, work, calls }: Delegation): void {
  test('what a subagent did and found belongs to the session that asked it', async () => {
    const { exitCode, stderr } = await rig.client.runSession(
      [call, { text: LAST_WORDS }],
      PROMPT,
      [],
      [work, { text: REPORT }],
    );
    expect({ exitCode, told: exitCode === 0 ? '' : stderr }).toEqual({ exitCode: 0, told: '' });
    const expected = {
      calls: [`${calls[0]} of a subagent`, calls[1]],
      reports: [REPORT],
      answers: [LAST_WORDS],
    };
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
  const shown = own.map(async ({ agentSession }): Promise<StoredEvent[]> => {
    return JSON.parse(await cairnIn(world, ['show', agentSession, '--json'])).events;
  });
  const all = await Promise.all(shown);
  const isDelegated = (events: StoredEvent[]) => JSON.stringify(events).includes('two trees');
  return all.filter(isDelegated).map((events) => ({
    calls: events
      .filter(({ kind }) => kind === 'tool-end')
      .map(({ tool, outcome, subagent }) => `${tool} ${outcome}${subagent === null ? '' : ' of a subagent'}`),
    reports: events.flatMap(({ kind, text }) => (kind === 'subagent-end' ? [text] : [])),
    answers: events.flatMap(({ kind, text }) => (kind === 'turn-end' ? [text] : [])),
  }));
}
