import { useState } from 'preact/hooks';
import { send } from '../api/call.ts';
import { loadProjects } from '../api/known-projects.ts';
import type { Project } from '../api/types.ts';
import { isReachable } from '../api/worker-state.ts';
import { navigate } from '../shell/router.ts';
import { showFailure, showToast } from '../shell/toast.tsx';

/** Plays a sample session for people who have no sessions yet. It appears in the feed, call by call. */
export function PlaySample() {
  const [isStarted, setStarted] = useState(false);
  const play = async () => {
    setStarted(true);
    try {
      await send('POST', '/api/sample', { body: {} });
      navigate('/');
      showToast('Playing the sample session: watch the feed.');
    } catch (error) {
      setStarted(false);
      showFailure(error);
    }
  };
  return (
    <button type="button" class="btn primary" disabled={isStarted || !isReachable.value} onClick={play}>
      Play the sample session
    </button>
  );
}

/** Marks the sample project as a sample, and removes it. */
export function SampleNote({ project }: { project: Project }) {
  const [isRemoving, setRemoving] = useState(false);
  const remove = async () => {
    setRemoving(true);
    try {
      await send('POST', '/api/sample/remove', { body: {} });
      await loadProjects();
      showToast('Removed the sample.');
    } catch (error) {
      showFailure(error);
    }
    setRemoving(false);
  };
  return (
    <p class="sample-note" role="note">
      <span class="tag accent">sample</span>
      <span>
        <b>{project.name}</b> is a recorded session, played through the real hooks of this machine.
      </span>
      <button type="button" class="btn" disabled={isRemoving || !isReachable.value} onClick={remove}>
        Remove the sample
      </button>
    </p>
  );
}
