import type { Redacted } from '../model/redacted.ts';
import type { Paths } from '../platform/paths.ts';
import { createStateNote } from '../platform/state-note.ts';

/** Why the embedder cannot be asked at present: said in status and with every answer, and known to every process. */
export interface EmbedderProblemNote {
  why: Redacted;
  since: number;
  /** From then on a search may try again. */
  retryAt: number;
}

/** A server that is back is noticed soon; one that is down delays a search only so often. */
const LEFT_ALONE_MS = 30_000;

const note = createStateNote<EmbedderProblemNote>('embedder-trouble');

export const { read: readEmbedderProblem, clear: clearEmbedderProblem } = note;

export function saveEmbedderProblem(
  paths: Paths,
  { why, retryAfterMs = LEFT_ALONE_MS }: { why: Redacted; retryAfterMs: number | undefined },
  now: number,
): void {
  const since = readEmbedderProblem(paths)?.since ?? now;
  try {
    note.write(paths, { why, since, retryAt: now + retryAfterMs });
  } catch {
    // A full disk has no room for a note, and search goes on without it.
  }
}
