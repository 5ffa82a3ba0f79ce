import { send } from '../api/call.ts';
import type { Memory } from '../api/types.ts';
import { showFailure, showToast } from '../shell/toast.tsx';

export async function togglePin({ id, pinnedAt }: Memory): Promise<void> {
  await run(send('PATCH', '/api/memories/{id}', { params: { id }, body: { pinned: pinnedAt === null } }), () =>
    showToast(pinnedAt === null ? `Pinned #${id}.` : `Unpinned #${id}.`),
  );
}

export async function copyNumber(id: number): Promise<void> {
  await run(navigator.clipboard.writeText(`#${id}`), () => showToast(`Copied #${id}.`));
}

async function run<T>(action: Promise<T>, onDone: (answer: T) => void): Promise<void> {
  try {
    onDone(await action);
  } catch (error) {
    showFailure(error);
  }
}
