import type { Redacted } from '../model/redacted.ts';
import type { Paths } from '../platform/paths.ts';
import { createStateNote } from '../platform/state-note.ts';

/** Why the embedder cannot be used at the moment: shown in status and answers, shared by all processes. */
export interface EmbedderProblemNote {
  why: Redacted;
  since: number;
  /** When a search may try again. */
  retryAt: number;
}

/** Long enough to make a server that is down rarely delay a search. */
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
    // The disk may be full; search works without the note.
  }
}
