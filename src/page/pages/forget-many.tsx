import { useState } from 'preact/hooks';
import { send } from '../api/call.ts';
import { useAnswer } from '../api/use-answer.ts';
import { isReachable } from '../api/worker-state.ts';
import { Dialog } from '../parts/dialog.tsx';
import { count } from '../parts/format.ts';
import { InlineCode } from '../parts/markdown.tsx';
import { ErrorNote } from '../parts/states.tsx';
import { place, withQuery } from '../shell/router.ts';
import type { FeedFilter } from './feed-state.ts';
import { forgetWithUndo } from './memory-actions.ts';
import { clearSelected, selected } from './selection.ts';

/** Shown below the feed while memories are selected. */
export function SelectionBar() {
  const [isAsking, ask] = useState(false);
  const ids = [...selected.value];
  if (ids.length === 0) return null;
  return (
    <div class="selection" role="region" aria-label="Selection">
      <b>{ids.length} selected</b>
      <button type="button" class="btn danger" disabled={!isReachable.value} onClick={() => ask(true)}>
        Forget…
      </button>
      <button type="button" class="btn" onClick={clearSelected}>
        Clear
      </button>
      {isAsking && <ForgetDialog which={{ memories: ids }} onClose={() => ask(false)} />}
    </div>
  );
}

/** Shown above the feed while it is filtered. */
export function FilterBar({ filter }: { filter: FeedFilter }) {
  const [isAsking, ask] = useState(false);
  return (
    <div class="filter-bar">
      <span>Showing only memories that match the filters.</span>
      <a class="link" href={withQuery({ project: null, agent: null, type: null })}>
        Clear filters
      </a>
      <button type="button" class="link danger" disabled={!isReachable.value} onClick={() => ask(true)}>
        Forget all that match…
      </button>
      {isAsking && <ForgetDialog which={{ filter }} onClose={() => ask(false)} />}
    </div>
  );
}

type Wanted = { memories: number[] } | { filter: FeedFilter };

/** Confirms with the number of memories and their titles. If the number has changed since, nothing is forgotten. */
function ForgetDialog({ which, onClose }: { which: Wanted; onClose(): void }) {
  const { data, error, reload } = useAnswer(`forget ${JSON.stringify(which)} ${place.value.path}`, () =>
    send('POST', '/api/forget/preview', { body: which }),
  );
  const amount = data ? count(data.count, 'memory', 'memories') : '';
  const forget = async () => {
    if (!data) return;
    onClose();
    await forgetWithUndo('filter' in which ? { ...which, count: data.count } : which, amount, clearSelected);
  };
  return (
    <Dialog title={data ? `Forget ${amount}?` : 'Forget memories'} onClose={onClose}>
      {error && <ErrorNote error={error} what="The memories could not be counted" onRetry={reload} />}
      {data && (
        <>
          <p class="quiet">They are hidden at once and permanently deleted after ten seconds.</p>
          <ul class="picks">
            {data.titles.map(({ id, title }) => (
              <li key={id}>
                <small class="num">#{id}</small> <InlineCode text={title} />
              </li>
            ))}
            {data.count > data.titles.length && (
              <li class="quiet">and {data.count - data.titles.length} more</li>
            )}
          </ul>
          <p class="row">
            <button type="button" class="btn danger" disabled={data.count === 0} onClick={forget}>
              Forget {amount}
            </button>
            <button type="button" class="btn" onClick={onClose}>
              Cancel
            </button>
          </p>
        </>
      )}
    </Dialog>
  );
}
