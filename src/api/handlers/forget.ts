import { forgetEverywhere, hasMissing } from '../../curation/forget.ts';
import { restoreFromTrash } from '../../curation/trash.ts';
import type { Store } from '../../store/store.ts';
import type { TrashEntry } from '../../store/types/curation.ts';
import { Problem } from '../problem.ts';
import type { Handlers, Input } from '../route.ts';
import type { forgetRoutes } from '../routes/forget.ts';
import { MOST_IDS } from '../schemas/basics.ts';

const UNDO_MS = 10_000;
const MOST_TITLES = 10;

type Which = Input<(typeof forgetRoutes)['previewForget']>['body'];

export const forgetHandlers: Handlers<typeof forgetRoutes> = {
  previewForget({ body }, { store }) {
    const { count, ids } = findMemories(store, body);
    const titles = store.getMemories(ids.slice(0, MOST_TITLES)).map(({ id, title }) => ({ id, title }));
    return { count, titles };
  },
  forget({ body: { count: expected, withSource, together, ...which } }, call) {
    const { store, now, wakeWorker } = call;
    const { count, ids } = findMemories(store, which);
    if (which.filter && expected === undefined)
      throw new Problem(400, 'Give the count of the preview with a filter.');
    if (expected !== undefined && expected !== count)
      throw new Problem(409, `Nothing was forgotten: these are ${count} memories now, not ${expected}.`);
    if (count > ids.length)
      throw new Problem(
        409,
        `Nothing was forgotten: at most ${MOST_IDS} memories at once, these are ${count}.`,
      );
    if (count === 0) throw new Problem(404, 'There is no such memory.');
    const forgotten = forgetEverywhere(call, {
      ...{ memories: ids, prompts: [], sessions: [] },
      ...{ withSource, isUndoable: true, dueAt: now() + UNDO_MS },
    });
    if (hasMissing(forgotten) || forgotten.trashId === null)
      throw new Problem(
        404,
        `There is no memory ${forgotten.missing.memories.join(', ')}. Nothing was forgotten.`,
      );
    const { trashId: id, memories } = forgotten;
    const at = now();
    // Forgetting many memories can take longer than the time for undo, so that time starts when they are hidden.
    store.saveTrashTime([id, ...together], at + UNDO_MS);
    // The worker must be running when the time is up.
    wakeWorker();
    return { forget: { id, at, dueAt: at + UNDO_MS, memories: memories.map(toName) } };
  },
  undoForget({ params: { id }, body: { together } }, call) {
    const entry = call.store.listTrash().find((trashed) => trashed.id === id);
    if (!entry) throw new Problem(404, 'It was deleted for good, or brought back already.');
    restoreFromTrash(call, [entry]);
    call.store.saveTrashTime(together, call.now() + UNDO_MS);
    call.wakeWorker();
    return { restored: entry.memories.map((memory) => memory.id) };
  },
  listForgets: (_, { store }) => ({ forgets: store.listTrash().map(describe) }),
};

function findMemories(store: Store, { memories, filter }: Which): { count: number; ids: number[] } {
  if ((memories === undefined) === (filter === undefined))
    throw new Problem(400, 'Give either memories or a filter.');
  if (memories) {
    const ids = [...new Set(memories)];
    return { count: ids.length, ids };
  }
  const { project, session, turn, pinned, superseded, ...same } = filter ?? {};
  if (Object.values(filter ?? {}).every((value) => value === undefined))
    throw new Problem(400, 'An empty filter would be everything.');
  const query = {
    ...same,
    ...{ projectId: project, sessionId: session, turnId: turn, isPinned: pinned, isSuperseded: superseded },
  };
  return { count: store.countMemories(query), ids: store.listMemoryIds(query, MOST_IDS) };
}

function describe({ id, at, dueAt, memories }: TrashEntry) {
  return { id, at, dueAt, memories: memories.map(toName) };
}

function toName({ id, kind, title }: TrashEntry['memories'][number]) {
  return { id, kind, title };
}
