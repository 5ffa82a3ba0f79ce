import { formatClock, formatFullTime, formatMoment } from './format.ts';

/** A time in the browser's time zone, with the full date on hover. */
export function Time({ at, form = 'moment' }: { at: number; form?: 'moment' | 'clock' }) {
  return (
    <time class="num" dateTime={new Date(at).toISOString()} title={formatFullTime(at)}>
      {form === 'clock' ? formatClock(at) : formatMoment(at, Date.now())}
    </time>
  );
}
