import { redactValue } from '../capture/redact/redact-value.ts';
import type { CurationOptions } from '../curation/options.ts';
import { updateIndex } from '../indexing/update-index.ts';
import type { AddedMemory, NewMemory } from '../store/types/port.ts';

/** Further skipped records are only counted. */
const MOST_NAMED = 100;

/** Rows per transaction; in between signals and the screen are handled. */
export const BATCH_SIZE = 500;

export interface PortOptions extends CurationOptions {
  /** Counts without storing. */
  isDryRun: boolean;
  /** Stops early; the next import continues. */
  stop?: AbortSignal;
  onProgress?: (progress: PortProgress) => void;
}

export interface PortProgress {
  done: number;
  all: number;
  added: number;
}

export interface PortResult {
  added: number;
  known: number;
  forgotten: number;
  prompts: number;
  /** Memories that were replaced by an edited form. */
  replaced: number;
  skipped: number;
  /** The first problems, each with its place. */
  skippedNamed: { where: string; why: string }[];
  isStopped: boolean;
}

/** Counts while memories are imported in batches. */
export function createImportRun(
  { store, now, isDryRun, stop, onProgress = () => {} }: PortOptions,
  all: number,
) {
  const result: PortResult = {
    added: 0,
    known: 0,
    forgotten: 0,
    prompts: 0,
    replaced: 0,
    skipped: 0,
    skippedNamed: [],
    isStopped: false,
  };
  let done = 0;
  return {
    result,
    skip(where: string, why: string): void {
      result.skipped++;
      if (result.skippedNamed.length < MOST_NAMED) result.skippedNamed.push({ where, why });
    },
    add(memories: NewMemory[]): AddedMemory[] {
      const added = store.addMemories(redactValue(memories), { now: now(), isDryRun });
      for (const { outcome } of added) result[outcome]++;
      return added;
    },
    /** @returns false if it should stop. */
    async shouldContinue(steps: number): Promise<boolean> {
      done += steps;
      // Index now, otherwise the next search is slow.
      if (!isDryRun) updateIndex(store);
      onProgress({ done, all, added: result.added + result.prompts });
      await new Promise((resolve) => setImmediate(resolve));
      result.isStopped = stop?.aborted === true;
      return !result.isStopped;
    },
  };
}
