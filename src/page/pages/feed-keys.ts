import type { RefObject } from 'preact';
import { useKeys } from '../shell/keys.ts';
import { navigate, withQuery } from '../shell/router.ts';
import { isPaused } from './feed-state.ts';
import { type FeedTurn, listShownIds } from './feed-turns.ts';
import { addSelected, clearSelected, selected } from './selection.ts';

interface FeedView {
  list: FeedTurn[];
  /** All loaded memories in display order. */
  ids: number[];
  heights: number[];
  scroller: RefObject<HTMLElement | null>;
  /** The memory in the pane, and the one in the address. */
  currentId: number | null;
  memoryId: number | null;
  showWaiting(): void;
}

/** Moves through the feed. Rows out of view are not in the document, so it scrolls before setting the focus. */
export function useFeedKeys({
  list,
  ids,
  heights,
  scroller,
  currentId,
  memoryId,
  showWaiting,
}: FeedView): void {
  const idAt = (step: number) => {
    const at = currentId === null ? -1 : ids.indexOf(currentId);
    return ids[Math.max(0, Math.min(ids.length - 1, at + step))];
  };
  const show = (id: number | undefined) => {
    if (id === undefined) return;
    const index = list.findIndex(
      ({ summary, memories }) => summary?.id === id || memories.some((one) => one.id === id),
    );
    reveal(scroller.current, heights, index);
    navigate(withQuery({}, `/m/${id}`), { replace: memoryId !== null });
    requestAnimationFrame(() => document.querySelector<HTMLElement>(`[data-id="${id}"]`)?.focus());
  };
  const move = (step: number) => show(idAt(step));
  const extend = (step: number) => {
    const ofBoth = [currentId, idAt(step)].filter((id) => id !== null && id !== undefined);
    addSelected(ofBoth);
    move(step);
  };
  const moveSession = (step: number) => {
    const cards = list.filter(({ opensCard, running }) => opensCard && !running);
    const here = list.findIndex((item) => listShownIds([item]).includes(currentId ?? -1));
    const card = cards.findLastIndex((item) => list.indexOf(item) <= here);
    const next = cards[card + step];
    if (next) show(listShownIds([next])[0]);
  };
  const openCurrent = () => currentId !== null && navigate(withQuery({}, `/m/${currentId}`));
  const goBack = () => {
    if (selected.value.size > 0) clearSelected();
    else if (memoryId !== null) navigate(withQuery({}, '/'));
  };
  useKeys({
    j: { label: 'Next memory', run: () => move(1) },
    k: { label: 'Previous memory', run: () => move(-1) },
    ArrowDown: { label: 'Next memory', run: () => move(1) },
    ArrowUp: { label: 'Previous memory', run: () => move(-1) },
    l: {
      label: isPaused.value ? 'Go live' : 'Pause',
      run() {
        if (isPaused.value) showWaiting();
        else isPaused.value = true;
      },
    },
    J: { label: 'Select and move down', run: () => extend(1) },
    K: { label: 'Select and move up', run: () => extend(-1) },
    '[': { label: 'Previous session', run: () => moveSession(-1) },
    ']': { label: 'Next session', run: () => moveSession(1) },
    Enter: { label: 'Open the memory', run: openCurrent },
    ArrowRight: { label: 'Open the memory', run: openCurrent },
    Escape: { label: 'Back', run: goBack },
    ArrowLeft: { label: 'Back', run: goBack },
  });
}

/** Scrolls to an article, which may not be in the document yet. */
function reveal(box: HTMLElement | null, heights: number[], index: number): void {
  if (!box || index < 0) return;
  const top = heights.slice(0, index).reduce((sum, height) => sum + height, 0);
  const bottom = top + (heights[index] ?? 0);
  if (top < box.scrollTop) box.scrollTo({ top: Math.max(0, top - 20) });
  else if (bottom > box.scrollTop + box.clientHeight) box.scrollTo({ top: bottom - box.clientHeight + 20 });
}
