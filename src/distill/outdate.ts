import type { StoredMemory } from '../store/types/memory.ts';
import { collectEdits } from './offline/calls/edits.ts';
import type { Turn } from './turn.ts';

/** Values in one file that the edits of a turn took out, and what they put in. */
export interface ReplacedValues {
  path: string;
  before: Set<string>;
  after: Set<string>;
}

/** Numbers, versions and names of code. */
const VALUE = /\d[\d.]*\d|\d|[A-Za-z_$][\w$]{3,}/g;
/** Names of so many letters are seldom met by accident. */
const TELLING_NAME = 5;

/** A file that was only extended has nothing taken out. */
export function findReplacedValues(turn: Turn): ReplacedValues[] {
  return collectEdits(turn).map(({ path, before, after }) => {
    const [taken, put] = [valuesOf(before), valuesOf(after)];
    return { path, before: without(taken, put), after: without(put, taken) };
  });
}

/**
 * Memories of the same session that no longer hold, because later edits replaced what they tell: “capped at 30 seconds”,
 * after 30 became 45 in the same file. `introduced`: what earlier turns of the session had put in.
 */
export function findOutdated(
  replaced: ReplacedValues[],
  introduced: ReplacedValues[],
  earlier: Pick<StoredMemory, 'id' | 'title' | 'type' | 'filesModified'>[],
): number[] {
  return earlier.flatMap(({ id, title, type, filesModified }) => {
    // A rule or a trap is not undone by an edit.
    if (type === 'preference' || type === 'gotcha') return [];
    const told = valuesOf([title]);
    const isOutdated = replaced.some(({ path, before, after }) => {
      if ([...after].some((value) => told.has(value))) return false;
      const isOfFile = filesModified.some((file) => file === path || file.endsWith(`/${path}`));
      const own = introduced.find((each) => each.path === path)?.after;
      return [...before].some((value) => {
        if (!told.has(value)) return false;
        return /\d/.test(value) ? isOfFile : value.length >= TELLING_NAME && own?.has(value) === true;
      });
    });
    return isOutdated ? [id] : [];
  });
}

function without(one: Set<string>, other: Set<string>): Set<string> {
  return new Set([...one].filter((value) => !other.has(value)));
}

function valuesOf(lines: string[]): Set<string> {
  return new Set(lines.flatMap((line) => line.match(VALUE) ?? []));
}
