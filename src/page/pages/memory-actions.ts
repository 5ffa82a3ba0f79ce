import { get, send } from '../api/call.ts';
import type { Memory } from '../api/types.ts';
import { formatNumber } from '../parts/format.ts';
import { showFailure, showToast } from '../shell/toast.tsx';
import { dropMemories, type FeedFilter, restoreMemories } from './feed-state.ts';

export async function togglePin({ id, pinnedAt }: Memory): Promise<void> {
  await run(
    send('PATCH', '/api/memories/{id}', { params: { id }, body: { pinned: pinnedAt === null } }),
    () => showToast(pinnedAt === null ? `Pinned #${id}.` : `Unpinned #${id}.`),
  );
}

export async function copyNumber(id: number): Promise<void> {
  await run(navigator.clipboard.writeText(`#${id}`), () => showToast(`Copied #${id}.`));
}

/** Memories by number, or all that match a filter if their count is still the same. */
type Forgettable = { memories: number[] } | { filter: FeedFilter; count: number };

/** Hides memories everywhere at once. The worker deletes them ten seconds later, even if this page is closed. */
export async function forgetWithUndo(which: Forgettable, name: string, onDone: () => void): Promise<void> {
  const forgets: number[] = [];
  const undo = () => void run(undoForgets(forgets), () => showToast(`Restored ${name}.`));
  const action = 'memories' in which ? forgetPart(which.memories, forgets) : forgetMatches(which, forgets);
  try {
    await action;
    onDone();
    showToast(`Forgot ${name}.`, { undo });
  } catch (error) {
    if (forgets.length === 0) showFailure(error);
    else showToast(`Forgot only a part of ${name}: ${describe(error)}`, { undo, isError: true });
  }
}

/** Memories per request: the worker answers nothing else while it forgets one part. */
const PART = 100;

/** Forgets in parts, all of which can be undone until the last one is due. */
async function forgetMatches(
  { filter, count: expected }: { filter: FeedFilter; count: number },
  forgets: number[],
): Promise<void> {
  const preview = await send('POST', '/api/forget/preview', { body: { filter } });
  if (preview.count !== expected)
    throw new Error(`Nothing was forgotten: these are ${preview.count} memories now, not ${expected}.`);
  // Memories made from now on were not counted.
  const before = Date.now();
  for (let done = 0; ; ) {
    const page = await get('/api/memories', { query: { ...filter, before, limit: PART } });
    if (page.memories.length === 0) return;
    await forgetPart(
      page.memories.map(({ id }) => id),
      forgets,
    );
    done += page.memories.length;
    if (done < expected) showToast(`Forgot ${formatNumber(done)} of ${formatNumber(expected)} memories…`);
  }
}

async function forgetPart(memories: number[], forgets: number[]): Promise<void> {
  const { forget } = await send('POST', '/api/forget', { body: { memories, together: forgets } });
  forgets.push(forget.id);
  dropMemories(new Set(forget.memories.map(({ id }) => id)));
}

async function undoForgets(forgets: number[]): Promise<void> {
  const restored: number[] = [];
  for (const [index, id] of forgets.entries()) {
    const body = { together: forgets.slice(index + 1) };
    restored.push(...(await send('POST', '/api/forget/{id}/undo', { params: { id }, body })).restored);
  }
  await restoreMemories(restored);
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

async function run<T>(action: Promise<T>, onDone: (answer: T) => void): Promise<void> {
  try {
    onDone(await action);
  } catch (error) {
    showFailure(error);
  }
}
