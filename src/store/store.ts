import type { createContextQueries } from './sqlite/context.ts';
import type { createContinuityQueries } from './sqlite/continuity.ts';
import type { createMemoryQueries } from './sqlite/memories.ts';
import type { createNoteQueries } from './sqlite/notes.ts';
import type { createQueueQueries } from './sqlite/queue.ts';
import type { createSearchQueries } from './sqlite/search.ts';
import type { openHookStore, openSqliteStore } from './sqlite/sqlite-store.ts';
import type { createTurnQueries } from './sqlite/stored-turns.ts';
import type { createTeamQueries } from './sqlite/team.ts';
import type { createVectorQueries } from './sqlite/vectors.ts';

/** The API of the store. Each method is documented at its query. */
export type Store = ReturnType<typeof openSqliteStore>;

/** The part that hooks load while an agent waits. */
export type HookStore = ReturnType<typeof openHookStore>;

/** For code that needs one part of the store. For less use `Pick<Store, …>`. */
export type ContextStore = ReturnType<typeof createContextQueries>;
export type ContinuityStore = ReturnType<typeof createContinuityQueries>;
/** Captured turns and the memories made of them. */
export type TurnStore = ReturnType<typeof createTurnQueries> & ReturnType<typeof createMemoryQueries>;
export type NotesStore = ReturnType<typeof createNoteQueries>;
export type QueueStore = ReturnType<typeof createQueueQueries>;
export type TeamStore = ReturnType<typeof createTeamQueries>;
export type SearchStore = ReturnType<typeof createSearchQueries>;
export type VectorStore = ReturnType<typeof createVectorQueries>;
