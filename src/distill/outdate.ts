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

export function findReplacedValues(turn: Turn): ReplacedValues[] {
  return collectEdits(turn).flatMap(({ path, before, after }) => {
    const [taken, put] = [valuesOf(before), valuesOf(after)];
    const onlyIn = (one: Set<string>, other: Set<string>) =>
      new Set([...one].filter((value) => !other.has(value)));
    const replaced = { path, before: onlyIn(taken, put), after: onlyIn(put, taken) };
    return replaced.before.size > 0 && replaced.after.size > 0 ? [replaced] : [];
  });
}

/**
 * Memories of the same session that tell a value which these edits replaced: “capped at 30 seconds”, after 30 became 45
 * in the same file.
 */
export function findOutdated(replaced: ReplacedValues[], earlier: StoredMemory[]): number[] {
  return earlier.flatMap(({ id, title, filesModified }) => {
    const told = valuesOf([title]);
    const isOutdated = replaced.some(
      ({ path, before, after }) =>
        filesModified.some((file) => file === path || file.endsWith(`/${path}`)) &&
        [...before].some((value) => /\d/.test(value) && told.has(value)) &&
        ![...after].some((value) => told.has(value)),
    );
    return isOutdated ? [id] : [];
  });
}

function valuesOf(lines: string[]): Set<string> {
  return new Set(lines.flatMap((line) => line.match(VALUE) ?? []));
}
