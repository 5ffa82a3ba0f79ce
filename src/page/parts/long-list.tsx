import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { formatNumber } from './format.ts';

const FIRST = 50;
const STEP = 500;

/** Draws the start of a list, and more on demand: a memory may have thousands of files. */
export function LongList<T>({
  items,
  name,
  render,
}: {
  items: T[];
  /** The CSS class of the list. */
  name: string;
  render(item: T): ComponentChildren;
}) {
  const [shown, setShown] = useState(FIRST);
  const rest = items.length - shown;
  return (
    <>
      <ul class={name}>{items.slice(0, shown).map(render)}</ul>
      {rest > 0 && (
        <button type="button" class="link" onClick={() => setShown(shown + STEP)}>
          Show {formatNumber(Math.min(rest, STEP))} more of {formatNumber(items.length)}
        </button>
      )}
    </>
  );
}
