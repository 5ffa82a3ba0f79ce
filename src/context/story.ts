import { createFreshness, describeFreshness } from '../recall/freshness.ts';
import type { Store } from '../store/store.ts';
import type { MemoryHistory } from '../store/types/curation.ts';
import type { StoredEvent } from '../store/types/event.ts';
import type { Injection } from '../store/types/injection.ts';
import type { StoredMemory } from '../store/types/memory.ts';

/** The origin of a memory and its use since. */
export interface Story {
  memory: StoredMemory;
  history: MemoryHistory;
  source: StoredEvent[];
  /** Whether its files have changed since; empty if they have not. */
  freshness: string;
  changedFiles: string[];
  /** Deleted, or without any of the names in the memory. */
  goneFiles: string[];
  injections: Injection[];
  /** Contexts that contained it, latest first. Their text is kept only for some time. */
  contexts: { id: number; at: number; agent: string; source: Injection['source'] }[];
}

const MOST_CONTEXTS = 20;

const NO_HISTORY: MemoryHistory = {
  prompt: null,
  agent: null,
  agentSession: null,
  repeatedIn: [],
  replaced: [],
};

/** `top`: the checkout in which its files are compared; with null they are not compared. */
export function readStory(store: Store, memory: StoredMemory, top: string | null): Story {
  const freshness = top === null ? null : createFreshness(top)(memory);
  return {
    memory,
    history: store.getMemoryHistory(memory.id) ?? NO_HISTORY,
    source: store.listMemoryEvents(memory.id),
    freshness: freshness === null ? '' : describeFreshness(freshness),
    changedFiles: freshness?.changed ?? [],
    goneFiles: freshness?.gone ?? [],
    injections: store.listInjections(memory.id),
    contexts: store
      .listGivenContexts({ memoryId: memory.id }, MOST_CONTEXTS)
      .map(({ id, at, agent, source }) => ({ id, at, agent, source })),
  };
}
