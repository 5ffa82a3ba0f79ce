import { editMemory } from '../../curation/edit.ts';
import { mergeMemories, supersedeMemory } from '../../curation/replace.ts';
import type { MemoryChange } from '../../store/types/curation.ts';
import type { ApiCall } from '../options.ts';
import { Problem } from '../problem.ts';
import type { Handlers } from '../route.ts';
import type { memoryChangeRoutes } from '../routes/memories.ts';
import { requireMemory } from './memories.ts';

export const changeHandlers: Handlers<typeof memoryChangeRoutes> = {
  changeMemory({ params: { id }, body: { pinned, ...fields } }, call) {
    requireMemory(call.store, id);
    const change = withoutMissing(fields);
    if (pinned === undefined && Object.keys(change).length === 0)
      throw new Problem(400, 'Nothing to change: give a field.');
    if (Object.keys(change).length > 0) refuse(editMemory(call, id, change));
    if (pinned !== undefined) call.store.pinMemory(id, pinned ? call.now() : null);
    return answer(call, id);
  },
  supersedeMemory({ params: { id }, body: { by } }, call) {
    requireMemory(call.store, id);
    refuse(supersedeMemory(call, id, by));
    return answer(call, id);
  },
  mergeMemories({ params: { id }, body: { from } }, call) {
    requireMemory(call.store, id);
    refuse(mergeMemories(call, id, from));
    return answer(call, id);
  },
};

/** Wakes the worker, which updates the index. */
function answer({ store, wakeWorker }: ApiCall, id: number) {
  wakeWorker();
  return { memory: requireMemory(store, id) };
}

function refuse(outcome: { problem: string } | null): void {
  if (outcome) throw new Problem(409, `Nothing was changed: ${outcome.problem}`);
}

type Optional<T> = { [K in keyof T]: T[K] | undefined };

function withoutMissing(fields: Optional<MemoryChange>): MemoryChange {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
