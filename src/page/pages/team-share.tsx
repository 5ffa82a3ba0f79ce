import { useState } from 'preact/hooks';
import type { TeamProject } from '../api/types.ts';
import { isReachable } from '../api/worker-state.ts';
import { Dialog } from '../parts/dialog.tsx';
import { count } from '../parts/format.ts';

/** Shows the counts of what would be shared before anything leaves this machine. */
export function ShareDialog({
  project: { name, key, unshared },
  onClose,
  onShare,
}: {
  project: TeamProject;
  onClose(): void;
  onShare(withPast: boolean): void;
}) {
  const [withPast, setWithPast] = useState(false);
  const past = `${count(unshared.memories, 'memory', 'memories')} and ${count(unshared.workItems, 'work item')}`;
  return (
    <Dialog title={`Share ${name} with the team`} onClose={onClose}>
      <p>
        Observations, summaries, notes and work items of {name} go to the team's server from now on, as{' '}
        <span class="mono">{key?.replace(/^name:/, '')}</span>. Prompts, events and transcripts never leave
        this machine.
      </p>
      <label class="row">
        <input
          type="checkbox"
          checked={withPast}
          onChange={(event) => setWithPast(event.currentTarget.checked)}
        />
        Also share what exists already: {past}
      </label>
      <p class="row">
        <button
          type="button"
          class="btn primary"
          disabled={!isReachable.value}
          onClick={() => onShare(withPast)}
        >
          {withPast ? `Share with ${past}` : 'Share from now on'}
        </button>
        <button type="button" class="btn" onClick={onClose}>
          Cancel
        </button>
      </p>
    </Dialog>
  );
}

export function UnshareDialog({
  project: { name },
  onClose,
  onUnshare,
}: {
  project: TeamProject;
  onClose(): void;
  onUnshare(): void;
}) {
  return (
    <Dialog title={`Stop sharing ${name}`} onClose={onClose}>
      <p>
        What you have shared of {name} is deleted on the server, and on the machines of others at their next
        exchange. It stays on this machine. What others have shared is still read.
      </p>
      <p class="row">
        <button type="button" class="btn danger" disabled={!isReachable.value} onClick={onUnshare}>
          Stop sharing
        </button>
        <button type="button" class="btn" onClick={onClose}>
          Cancel
        </button>
      </p>
    </Dialog>
  );
}
