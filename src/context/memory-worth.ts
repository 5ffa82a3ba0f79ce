import type { ObservationType } from '../model/memory.ts';
import type { Freshness } from '../recall/freshness.ts';
import type { MemoryKind } from '../store/types/memory.ts';

/** When a memory is given: at the start of a session, or before a file is read. */
type Moment = 'start' | 'file';

/** A mere change can be read in the code. Before a file is read, what can hurt comes first. */
const POINTS: Partial<Record<ObservationType | MemoryKind, Record<Moment, number>>> = {
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

/** Whoever reads the file sees its present state, so an outdated memory loses more there than at a start. */
const PENALTIES: Record<Moment, Record<Freshness['state'] | 'names remain', number>> = {
  start: { unchanged: 0, unknown: 0, 'names remain': 0.3, changed: 1, gone: 3 },
  file: { unchanged: 0, unknown: 0.5, 'names remain': 0.5, changed: 2, gone: 9 },
};

/** How a memory's kind counts at that moment. */
export function kindPoints(memory: TypedMemory, moment: Moment): number {
  return POINTS[kindOf(memory)]?.[moment] ?? 0;
}

/** What a memory loses because its files have changed since. */
export function freshnessPenalty({ state, namesRemain }: Freshness, moment: Moment): number {
  return PENALTIES[moment][state === 'changed' && namesRemain ? 'names remain' : state];
}

/** What the score of a memory found for a prompt is multiplied by. */
export function freshnessWeight({ state, namesRemain }: Freshness): number {
  if (state === 'gone') return 0.4;
  if (state === 'changed') return namesRemain ? 0.95 : 0.8;
  return 1;
}

interface TypedMemory {
  type: ObservationType | null;
  kind: MemoryKind;
}

export function kindOf({ type, kind }: TypedMemory): ObservationType | MemoryKind {
  return type ?? kind;
}
