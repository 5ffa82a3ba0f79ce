import type { ComponentChildren, RefObject } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useState } from 'preact/hooks';
import { findWindow } from './window-range.ts';

const NEAR_END_PX = 1_200;

/** Keeps only rows near the view in the document. Their heights are known before they are drawn. */
export function WindowedList<T>({
  items,
  heights,
  scroller,
  render,
  onNearEnd,
  label,
}: {
  items: T[];
  heights: number[];
  scroller: RefObject<HTMLElement | null>;
  render(item: T, index: number): ComponentChildren;
  onNearEnd(): void;
  label: string;
}) {
  const [view, setView] = useState({ top: 0, height: 900 });
  useLayoutEffect(() => {
    const box = scroller.current;
    if (!box) return;
    const look = () => setView({ top: box.scrollTop, height: box.clientHeight });
    look();
    box.addEventListener('scroll', look, { passive: true });
    const observer = new ResizeObserver(look);
    observer.observe(box);
    return () => {
      box.removeEventListener('scroll', look);
      observer.disconnect();
    };
  }, [scroller]);
  const range = useMemo(() => findWindow(heights, view.top, view.height), [heights, view]);
  const isNearEnd = range.below < NEAR_END_PX;
  useEffect(() => {
    if (isNearEnd) onNearEnd();
  }, [isNearEnd, onNearEnd]);
  return (
    <div
      role="feed"
      aria-label={label}
      style={{ paddingTop: `${range.above}px`, paddingBottom: `${range.below}px` }}
    >
      {items.slice(range.from, range.to).map((item, at) => render(item, range.from + at))}
    </div>
  );
}
