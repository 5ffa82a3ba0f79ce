import { cairn, type World } from '../support/world.ts';
import type { Share } from './score.ts';
import type { Expectation } from './session.ts';
import { absent } from './words.ts';

export interface FollowUpScore {
  /** By what a new session is given at its start and with the prompt. */
  answered: Share;
  answeredByPrompt: Share;
  /** Unrelated prompts that were given something. */
  disturbed: Share;
}

/** What new sessions in the same project are given for the questions that colleagues ask later. */
export async function askLater(
  world: World,
  { followUps = [], unrelated = [] }: Expectation,
): Promise<FollowUpScore> {
  const start = await contextFor(world);
  const score: FollowUpScore = {
    answered: { met: 0, of: followUps.length },
    answeredByPrompt: { met: 0, of: followUps.length },
    disturbed: { met: 0, of: unrelated.length },
  };
  for (const { asks, says } of followUps) {
    const given = await contextFor(world, asks);
    if (absent(says, given).length === 0) score.answeredByPrompt.met++;
    if (absent(says, `${start}\n${given}`).length === 0) score.answered.met++;
  }
  for (const prompt of unrelated) if ((await contextFor(world, prompt)) !== '') score.disturbed.met++;
  return score;
}

async function contextFor(world: World, prompt?: string): Promise<string> {
  const args = prompt === undefined ? [] : ['--prompt', prompt];
  const { text }: { text: string } = JSON.parse(await cairn(world, 'context', '--json', ...args));
  return text;
}
