/** The rows of a long list that are in view, and the empty space above and below them. */
export interface WindowRange {
  from: number;
  /** The index after the last row. */
  to: number;
  above: number;
  below: number;
}

const MARGIN_PX = 600;

export function findWindow(heights: number[], scrollTop: number, viewHeight: number): WindowRange {
  const top = scrollTop - MARGIN_PX;
  const bottom = scrollTop + viewHeight + MARGIN_PX;
  let from = 0;
  let above = 0;
  while (from < heights.length && above + (heights[from] ?? 0) <= top) above += heights[from++] ?? 0;
  let to = from;
  let end = above;
  while (to < heights.length && end < bottom) end += heights[to++] ?? 0;
  let below = 0;
  for (let rest = to; rest < heights.length; rest++) below += heights[rest] ?? 0;
  return { from, to, above, below };
}
