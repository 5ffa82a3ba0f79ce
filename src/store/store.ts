import type { createContextQueries } from './sqlite/context.ts';
import type { createContinuityQueries } from './sqlite/continuity.ts';
import type { createMemoryQueries } from './sqlite/memories.ts';
import type { createNoteQueries } from './sqlite/notes.ts';
import type { createQueueQueries } from './sqlite/queue.ts';
import type { createSearchQueries } from './sqlite/search.ts';
import type { openHookStore, openSqliteStore } from './sqlite/sqlite-store.ts';
import type { createVectorQueries } from './sqlite/vectors.ts';

/** What the rest of Cairn may ask of its memory. Each method is documented where its query is. */
export type Store = ReturnType<typeof openSqliteStore>;

/** What is asked while an agent waits. A hook loads this much and no more. */
export type HookStore = ReturnType<typeof openHookStore>;

/** For code that needs one part only; for less, `Pick<Store, …>`. */
export type ContextStore = ReturnType<typeof createContextQueries>;
export type ContinuityStore = ReturnType<typeof createContinuityQueries>;
export type MemoryStore = ReturnType<typeof createMemoryQueries>;
export type NotesStore = ReturnType<typeof createNoteQueries>;
export type QueueStore = ReturnType<typeof createQueueQueries>;
export type SearchStore = ReturnType<typeof createSearchQueries>;
export type VectorStore = ReturnType<typeof createVectorQueries>;
