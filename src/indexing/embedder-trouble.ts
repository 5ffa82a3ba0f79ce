import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { readIfThere, writeAtomically } from '../platform/files.ts';
import type { Paths } from '../platform/paths.ts';
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

export function noteEmbedderTrouble(paths: Paths, trouble: EmbedderTrouble, now: number): void {
  const { message: why, retryAfterMs = LEFT_ALONE_MS } = trouble;
  const since = embedderTrouble(paths)?.since ?? now;
  try {
    writeAtomically(fileOf(paths), JSON.stringify({ why, since, retryAt: now + retryAfterMs }));
  } catch {
    // A full disk has no room for a note, and search goes on without it.
  }
}

export function embedderTrouble(paths: Paths): NotedTrouble | null {
  try {
    return JSON.parse(readIfThere(fileOf(paths)) ?? 'null');
  } catch {
    return null;
  }
}

export function clearEmbedderTrouble(paths: Paths): void {
  rmSync(fileOf(paths), { force: true });
}

function fileOf(paths: Paths): string {
  return join(paths.state, 'embedder-trouble');
}
