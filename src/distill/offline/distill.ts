import type { Distilled } from '../../model/memory.ts';
import type { Turn } from '../turn.ts';
import { addCompaction } from './compaction.ts';
import { readMaterial } from './material.ts';
import { observers } from './observe/all.ts';
import { summarise } from './summary.ts';

const MOST_OBSERVATIONS = 5;

/**
 * What is worth remembering of a turn, without any model: the sentences that carry information are chosen, and
 * the calls tell what they were about. The same turn always gives the same result. Never throws.
 */
export function distillOffline(turn: Turn): Distilled {
  const { compaction = '' } = turn;
  if (onlyMachinery(turn)) return { observations: [], summary: addCompaction(null, compaction) };
  const material = readMaterial(turn);
  const observations = observers
    .flatMap((observe) => observe(material))
    .filter(({ title }) => title !== '')
    .slice(0, MOST_OBSERVATIONS);
  return { observations, summary: addCompaction(summarise(material, observations), compaction) };
}

/** A command for the agent itself, such as `/compact`: what came of it belongs to the turns before. */
function onlyMachinery({ prompt, calls }: Turn): boolean {
  return calls.length === 0 && /^\/[a-z][\w:-]*(?:\s|$)/.test(prompt);
}
