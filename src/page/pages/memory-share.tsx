import { useState } from 'preact/hooks';
import { send } from '../api/call.ts';
import type { Memory, Story } from '../api/types.ts';
import { isReachable } from '../api/worker-state.ts';
import { Dialog } from '../parts/dialog.tsx';
import { useKeys } from '../shell/keys.ts';
import { showFailure, showToast } from '../shell/toast.tsx';

type Sharing = NonNullable<Story['sharing']>;

/** Whether the team has this memory, and the switch for it. A colleague's memories cannot be switched here. */
export function ShareLine({
  memory,
  sharing,
  onChanged,
}: {
  memory: Memory;
  sharing: Sharing;
  onChanged(): void;
}) {
  const [isAsked, ask] = useState(false);
  const label = sharing.isShared ? 'Stop sharing this memory' : 'Share this memory with the team';
  useKeys({ t: { label, run: () => ask(true) } });
  return (
    <div class="share-line">
      <button
        type="button"
        role="switch"
        aria-checked={sharing.isShared}
        disabled={!isReachable.value}
        onClick={() => ask(true)}
      >
        Share with the team <kbd aria-hidden="true">T</kbd>
      </button>
      <small>{sharing.isShared ? 'shared' : 'private'}</small>
      {isAsked && (
        <ShareDialog memory={memory} sharing={sharing} onClose={() => ask(false)} onChanged={onChanged} />
      )}
    </div>
  );
}

/** Explains the effect before anything is shared, or deleted for others. */
function ShareDialog({
  memory: { id, title, project },
  sharing: { isShared, problem },
  onClose,
  onChanged,
}: {
  memory: Memory;
  sharing: Sharing;
  onClose(): void;
  onChanged(): void;
}) {
  const change = async () => {
    const path = isShared ? '/api/team/memories/{id}/unshare' : '/api/team/memories/{id}/share';
    try {
      await send('POST', path, { params: { id }, body: {} });
      showToast(isShared ? `#${id} is no longer shared.` : `#${id} is shared.`);
      onClose();
      onChanged();
    } catch (error) {
      showFailure(error);
    }
  };
  return (
    <Dialog title={isShared ? `Stop sharing #${id}` : `Share #${id} with the team`} onClose={onClose}>
      {problem !== null ? (
        <p>
          {problem}{' '}
          <a class="link" href="/team">
            Open the team page
          </a>
        </p>
      ) : isShared ? (
        <p>
          “{title}” is deleted on the server, and on the machines of others at their next exchange. It stays
          on this machine, and private until you share it again.
        </p>
      ) : (
        <p>
          “{title}” goes to the team's server, in {project}. Prompts, events and transcripts never leave this
          machine.
        </p>
      )}
      <p class="row">
        {problem === null && (
          <button
            type="button"
            class={isShared ? 'btn danger' : 'btn primary'}
            disabled={!isReachable.value}
            onClick={change}
          >
            {isShared ? 'Stop sharing' : 'Share'}
          </button>
        )}
        <button type="button" class="btn" onClick={onClose}>
          {problem === null ? 'Cancel' : 'Close'}
        </button>
      </p>
    </Dialog>
  );
}
