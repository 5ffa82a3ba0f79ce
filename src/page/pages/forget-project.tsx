import { useState } from 'preact/hooks';

import { send } from '../api/call.ts';
import type { Project } from '../api/types.ts';
import { useAnswer } from '../api/use-answer.ts';
import { Dialog } from '../parts/dialog.tsx';
import { count } from '../parts/format.ts';
import { InlineCode } from '../parts/markdown.tsx';
import { forgetWithUndo } from './memory-actions.ts';

/** Shows what would be deleted, and requires typing the project's name. */
export function ForgetProjectDialog({
  project: { id, name },
  onClose,
}: {
  project: Project;
  onClose(): void;
}) {
  const [typed, setTyped] = useState('');
  const [isRunning, setRunning] = useState(false);
  const { data, error } = useAnswer(`forget project ${id}`, () =>
    send('POST', '/api/forget/preview', { body: { filter: { project: id } } }),
  );
  const forget = async () => {
    if (!data) return;
    setRunning(true);
    const words = `${count(data.count, 'memory', 'memories')} of ${name}`;
    await forgetWithUndo({ filter: { project: id }, count: data.count }, words, onClose);
    setRunning(false);
  };
  return (
    <Dialog title={`Forget the memories of ${name}`} onClose={onClose}>
      {error && <p>{error.message}</p>}
      {data && data.count === 0 && <p>There are no memories of {name}.</p>}
      {data && data.count > 0 && (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            if (typed === name && !isRunning) void forget();
          }}
        >
          <p>
            {count(data.count, 'memory', 'memories')} will be hidden at once and deleted ten seconds later,
            among them:
          </p>
          <ul class="facts">
            {data.titles.map((memory) => (
              <li key={memory.id}>
                <InlineCode text={memory.title} />
              </li>
            ))}
          </ul>
          <p class="quiet">The project, its sessions and prompts stay.</p>
          <label class="field">
            <span>Type {name} to confirm</span>
            <input
              value={typed}
              autoComplete="off"
              onInput={(event) => setTyped(event.currentTarget.value)}
            />
          </label>
          <p class="row dialog-actions">
            <button type="submit" class="btn danger" disabled={typed !== name || isRunning}>
              Forget {count(data.count, 'memory', 'memories')}
            </button>
          </p>
        </form>
      )}
    </Dialog>
  );
}
