import { redactValue } from '../capture/redact/redact-value.ts';
import { createRepeatCheck, listClaims } from '../indexing/claims.ts';
import type { StoredMemory } from '../store/types/memory.ts';
import type { CurationOptions } from './options.ts';
import { refreshNotesOf } from './refresh-notes.ts';

type Outcome = { problem: string } | null;
type Owner = Pick<StoredMemory, 'scope' | 'projectId'>;

/** From then on `by` is given in its place; null takes that back. @returns the problem, if any. */
export function supersedeMemory(options: CurationOptions, id: number, by: number | null): Outcome {
  const { store, now } = options;
  if (!store.getMemory(id)) return { problem: `There is no memory ${id}.` };
  const replacement = by === null ? null : store.getMemory(by);
  if (by !== null && !replacement) return { problem: `There is no memory ${by}.` };
  if (by === id) return { problem: 'A memory cannot replace itself.' };
  if (replacement && replacement.supersededBy !== null)
    return { problem: `Memory ${by} was replaced by ${replacement.supersededBy}.` };
  store.supersedeMemories([id], by, now());
  refreshNotesOf(by === null ? [id] : [id, by], options);
  return null;
}

/** Why a new memory cannot replace these, if it cannot. */
export function findReplaceProblem({ store }: CurationOptions, ids: number[], by: Owner): string | null {
  const found = store.getMemories(ids);
  const missing = ids.find((id) => !found.some((memory) => memory.id === id));
  if (missing !== undefined) return `There is no memory ${missing}.`;
  return findReplaced(found) ?? findForeign(found, by);
}

function findReplaced(memories: StoredMemory[]): string | null {
  const replaced = memories.find(({ supersededBy }) => supersededBy !== null);
  return replaced ? `Memory ${replaced.id} was replaced by ${replaced.supersededBy}.` : null;
}

/** A memory of one project would hide another project's, where nothing would be given in its place. */
function findForeign(memories: StoredMemory[], by: Owner): string | null {
  if (by.scope === 'global') return null;
  const foreign = memories.find(({ scope, projectId }) => scope !== 'global' && projectId !== by.projectId);
  return foreign ? `Memory ${foreign.id} is of another project.` : null;
}

/** One memory gets what the others say and where they come from, and replaces them. @returns the problem, if any. */
export function mergeMemories(options: CurationOptions, into: number, others: number[]): Outcome {
  const { store, now } = options;
  const ids = [...new Set(others)].filter((id) => id !== into);
  const target = store.getMemory(into);
  const merged = store.getMemories(ids);
  const missing = ids.find((id) => !merged.some((memory) => memory.id === id));
  if (!target || missing !== undefined) return { problem: `There is no memory ${target ? missing : into}.` };
  const problem = findMergeProblem(target, merged);
  if (problem !== null) return { problem };
  const said = createRepeatCheck(listClaims(target).map(({ text }) => text));
  const facts = [...target.facts];
  for (const { text } of merged.flatMap(listClaims)) {
    if (said.isRepeated(text)) continue;
    said.add(text);
    facts.push(text);
  }
  const union = (one: string[], other: string[][]) => [...new Set([...one, ...other.flat()])];
  const aliases = union(
    target.aliases,
    merged.map((memory) => memory.aliases),
  );
  store.mergeMemories(into, ids, redactValue({ facts, aliases }), now());
  refreshNotesOf([into, ...ids], options);
  return null;
}

function findMergeProblem(target: StoredMemory, merged: StoredMemory[]): string | null {
  if (merged.length === 0) return 'Name at least one other memory.';
  const all = [target, ...merged];
  const summary = all.find(({ parts }) => parts !== null);
  if (summary) return `Memory ${summary.id} is a summary of a turn, which cannot be merged.`;
  return findReplaced(all) ?? findForeign(merged, target);
}
