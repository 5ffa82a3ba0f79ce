import { redactValue } from '../capture/redact/redact-value.ts';
import type { CurationOptions } from '../curation/options.ts';
import { updateIndex } from '../indexing/update-index.ts';
import type { AddedMemory, NewMemory } from '../store/types/port.ts';

/** More of what was skipped is only counted. */
const MOST_NAMED = 100;

/** Rows that go into the database together; between them signals and the screen have their turn. */
export const BATCH = 500;

export interface PortOptions extends CurationOptions {
  /** Counts what would come in, and keeps nothing. */
  isDryRun: boolean;
  /** Leaves the rest to the next time. */
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
  /** Memories of which an edited form came in. */
  replaced: number;
  skipped: number;
  /** Where, and what is wrong there; the first of them. */
  skippedNamed: { where: string; why: string }[];
  isStopped: boolean;
}

/** Keeps count while memories come in, a batch at a time. */
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
    /** @returns false when it should end here. */
    async goesOn(steps: number): Promise<boolean> {
      done += steps;
      // Left for later, it would be the next search that takes its time.
      if (!isDryRun) updateIndex(store);
      onProgress({ done, all, added: result.added + result.prompts });
      await new Promise((resolve) => setImmediate(resolve));
      result.isStopped = stop?.aborted === true;
      return !result.isStopped;
    },
  };
}
