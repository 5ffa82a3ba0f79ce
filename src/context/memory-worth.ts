import type { ObservationType } from '../model/memory.ts';
import type { Freshness } from '../recall/freshness.ts';
import type { MemoryKind, StoredMemory } from '../store/types/memory.ts';

type Occasion = 'start' | 'file';

/** Plain changes are visible in the code, so they get few points. Before a file is read, warnings come first. */
const POINTS: Partial<Record<ObservationType | MemoryKind, Record<Occasion, number>>> = {
  preference: { start: 4, file: 4 },
  note: { start: 3, file: 4 },
  gotcha: { start: 2, file: 5 },
  decision: { start: 2, file: 3 },
  'how-it-works': { start: 1.5, file: 2 },
  bugfix: { start: 1, file: 1 },
  discovery: { start: 1, file: 0 },
  feature: { start: 0.5, file: 0 },
  refactor: { start: 0.3, file: 0 },
};

/** A reader of the file sees its current state, so an outdated memory loses more there than at a start. */
const PENALTIES: Record<Occasion, Record<Freshness['state'] | 'names remain', number>> = {
  start: { unchanged: 0, unknown: 0, 'names remain': 0.3, changed: 1, gone: 3 },
  file: { unchanged: 0, unknown: 0.5, 'names remain': 0.5, changed: 2, gone: 9 },
};

/** Notes by a person or the agent come first among the memories of their type. */
const TYPED_NOTE = 0.5;

/** The points for a memory's kind. */
export function kindPoints(memory: Pick<StoredMemory, 'type' | 'kind'>, occasion: Occasion): number {
  const isTypedNote = memory.kind === 'note' && memory.type !== null;
  return (POINTS[kindOf(memory)]?.[occasion] ?? 0) + (isTypedNote ? TYPED_NOTE : 0);
}

/** The penalty for changed files. */
export function freshnessPenalty({ state, namesRemain }: Freshness, occasion: Occasion): number {
  return PENALTIES[occasion][state === 'changed' && namesRemain ? 'names remain' : state];
}

/** The factor for the score of a memory found for a prompt. */
export function freshnessWeight({ state, namesRemain }: Freshness): number {
  if (state === 'gone') return 0.4;
  if (state === 'changed') return namesRemain ? 0.95 : 0.8;
  return 1;
}

export function kindOf({ type, kind }: Pick<StoredMemory, 'type' | 'kind'>): ObservationType | MemoryKind {
  return type ?? kind;
}
