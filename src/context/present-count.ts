import { MOST_COUNTED } from '../recall/request.ts';
import { formatCount } from './words.ts';

/** What a list of hits leaves out. */
export interface HiddenHits {
  shown: number;
  /** Hits that answer the question as well, beyond the limit. */
  more: number;
  /** Weaker hits that were found but are not shown. */
  weaker: number;
}

/** Writes a limit as the reader has to: `--limit 17`, `limit: 17`. */
export type LimitUnit = (limit: number) => string;

/** `3 hits`, `10 of 17 hits`. */
export function describeCount(shown: number, more: number): string {
  if (more === 0) return formatCount(shown, 'hit');
  const all = shown + more;
  return `${shown} of ${isUncounted(all) ? `more than ${formatNumber(Math.max(shown, MOST_COUNTED))}` : all} hits`;
}

/** Sentences that say what is missing from a list and how to see it. @param most the highest limit */
export function describeHidden(
  { shown, more, weaker }: HiddenHits,
  unit: LimitUnit,
  most = Number.POSITIVE_INFINITY,
): string[] {
  const all = shown + more;
  const limit = isUncounted(all) ? Math.min(most, Math.max(shown, MORE_OF_MANY)) : Math.min(most, all);
  const what = limit < all ? `${limit}` : 'all';
  return [
    ...(more > 0 && limit > shown
      ? [`${describeCount(shown, more)}. To see ${what}, add ${unit(limit)}`]
      : []),
    ...(more > 0 && limit <= shown
      ? [`${describeCount(shown, more)}. Add words or operators to see others.`]
      : []),
    ...describeWeaker(weaker, shown, unit),
  ];
}

/** Empty without weaker hits. */
export function describeWeaker(weaker: number, shown: number, unit: LimitUnit): string[] {
  if (weaker === 0) return [];
  const are = weaker === 1 ? 'is hidden. To see it' : 'are hidden. To see them';
  return [`${formatCount(weaker, 'weaker hit')} ${are}, add ${unit(shown + weaker)}`];
}

/** A list of which one more than `limit` was read, to know whether it goes on. */
export function cutNewest<Item>(
  read: Item[],
  limit: number,
  unit: LimitUnit,
  most = Number.POSITIVE_INFINITY,
): { shown: Item[]; remark: string[] } {
  if (read.length <= limit) return { shown: read, remark: [] };
  const next = Math.min(most, 2 * limit);
  const advice = next > limit ? `To see more, add ${unit(next)}` : 'Older ones are not shown.';
  return { shown: read.slice(0, limit), remark: [`These are the newest ${limit}. ${advice}`] };
}

const MORE_OF_MANY = 100;

/** Recall stops counting there. */
function isUncounted(all: number): boolean {
  return all > MOST_COUNTED;
}

function formatNumber(number: number): string {
  return number.toLocaleString('en-US');
}
