import type { IndexEntry } from '../../context/present-entry.ts';
import type { JsonObject } from '../../model/json.ts';
import type { NumberedPrompt } from '../../store/types/history.ts';
import type { StoredMemory } from '../../store/types/memory.ts';

/** Leaves out the offsets of the matches, which only a terminal needs. */
export function structureOf({ id, at, matches, claim, ...rest }: IndexEntry): JsonObject {
  return {
    ...{ id: id.replace('#', ''), at: new Date(at).toISOString(), ...rest },
    ...(claim && { claim: { position: claim.position, text: claim.text } }),
  };
}

export function structureOfMemory(memory: StoredMemory, marks: string[]): JsonObject {
  const { id, kind, type, title, subtitle, narrative, facts, concepts, parts, at, tokens } = memory;
  const { project, branch, commit, sessionId, saidBy, scope, strength, supersededBy, pinnedAt } = memory;
  const { filesRead, filesModified } = memory;
  return {
    ...{ id: String(id), kind, type, title, subtitle, narrative, facts, concepts, filesRead, filesModified },
    parts: parts && { ...parts },
    ...{ at: new Date(at).toISOString(), tokens, project, branch, commit, saidBy, scope, strength },
    session: sessionId === null ? null : `s${sessionId}`,
    supersededBy: supersededBy === null ? null : String(supersededBy),
    pinned: pinnedAt !== null,
    marks,
  };
}

export function structureOfPrompt({
  id,
  at,
  text,
  project,
  branch,
  sessionId,
  isPrivate,
}: NumberedPrompt): JsonObject {
  const words = isPrivate ? '' : text;
  return {
    id: `p${id}`,
    kind: 'prompt',
    at: new Date(at).toISOString(),
    text: words,
    project,
    branch,
    session: `s${sessionId}`,
  };
}
