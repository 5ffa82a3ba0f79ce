import type { Paths } from '../platform/paths.ts';
import { stateNote } from '../platform/state-note.ts';
import type { EmbedderTrouble } from './embedders/embedder.ts';

/** Why the embedder cannot be asked at present: said in status and with every answer, and known to every process. */
export interface NotedTrouble {
  why: string;
  since: number;
  /** From then on whoever has a question may try again. */
  retryAt: number;
}

/** A server that is back is noticed soon; one that is away costs somebody their patience only so often. */
const LEFT_ALONE_MS = 30_000;

const note = stateNote<NotedTrouble>('embedder-trouble');

export const { read: embedderTrouble, clear: clearEmbedderTrouble } = note;

export function noteEmbedderTrouble(paths: Paths, trouble: EmbedderTrouble, now: number): void {
  const { message: why, retryAfterMs = LEFT_ALONE_MS } = trouble;
  const since = embedderTrouble(paths)?.since ?? now;
  try {
    note.write(paths, { why, since, retryAt: now + retryAfterMs });
  } catch {
    // A full disk has no room for a note, and search goes on without it.
  }
}
