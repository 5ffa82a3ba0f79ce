import type { RefObject } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';

const NARROW = matchMedia('(max-width: 760px)');

/** Whether the page has one column, and the content width of a box. */
export function useNarrow(box: RefObject<HTMLElement | null>): { isNarrow: boolean; width: number } {
  const [size, setSize] = useState({ isNarrow: NARROW.matches, width: 780 });
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const look = () =>
      setSize((before) => {
        const width = Math.min(860, element.clientWidth) - (NARROW.matches ? 24 : 40);
        return before.width === width && before.isNarrow === NARROW.matches
          ? before
          : { isNarrow: NARROW.matches, width };
      });
    look();
    const observer = new ResizeObserver(look);
    observer.observe(element);
    return () => observer.disconnect();
  }, [box]);
  return size;
}
