import { send } from '../api/call.ts';
import type { Memory } from '../api/types.ts';
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

/** By number, or all that a filter matches if they are still as many as were counted. */
export interface Forgettable {
  memories?: number[];
  filter?: FeedFilter;
  count?: number;
}

/** Hidden everywhere at once; the worker deletes it for good ten seconds later, whether this page is open or not. */
export async function forgetWithUndo(which: Forgettable, name: string, onDone: () => void): Promise<void> {
  await run(send('POST', '/api/forget', { body: which }), ({ forget }) => {
    onDone();
    const ids = forget.memories.map(({ id }) => id);
    dropMemories(new Set(ids));
    const undo = async () => {
      const { restored } = await send('POST', '/api/forget/{id}/undo', {
        params: { id: forget.id },
        body: {},
      });
      await restoreMemories(restored);
    };
    showToast(`Forgot ${name}.`, { undo: () => void run(undo(), () => showToast(`Restored ${name}.`)) });
  });
}

async function run<T>(action: Promise<T>, onDone: (answer: T) => void): Promise<void> {
  try {
    onDone(await action);
  } catch (error) {
    showFailure(error);
  }
}
