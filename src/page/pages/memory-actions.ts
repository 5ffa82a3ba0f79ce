import { send } from '../api/call.ts';
import type { Memory } from '../api/types.ts';
import { showFailure, showToast } from '../shell/toast.tsx';
import { dropMemories, restoreMemories } from './feed-state.ts';

export async function togglePin({ id, pinnedAt }: Memory): Promise<void> {
  await run(
    send('PATCH', '/api/memories/{id}', { params: { id }, body: { pinned: pinnedAt === null } }),
    () => showToast(pinnedAt === null ? `Pinned #${id}.` : `Unpinned #${id}.`),
  );
}

export async function copyNumber(id: number): Promise<void> {
  await run(navigator.clipboard.writeText(`#${id}`), () => showToast(`Copied #${id}.`));
}

/** Hidden everywhere at once; the worker deletes it for good ten seconds later, whether this page is open or not. */
export async function forgetWithUndo(ids: number[], onDone: () => void): Promise<void> {
  const forgetting = send('POST', '/api/forget', { body: { memories: ids } });
  await run(forgetting, ({ forget }) => {
    onDone();
    dropMemories(new Set(ids));
    const what = ids.length === 1 ? `#${ids[0]}` : `${ids.length} memories`;
    const undo = async () => {
      await send('POST', '/api/forget/{id}/undo', { params: { id: forget.id }, body: {} });
      await restoreMemories(ids);
    };
    showToast(`Forgot ${what}.`, { undo: () => void run(undo(), () => showToast(`Brought back ${what}.`)) });
  });
}

async function run<T>(action: Promise<T>, onDone: (answer: T) => void): Promise<void> {
  try {
    onDone(await action);
  } catch (error) {
    showFailure(error);
  }
}
