import { useRef } from 'preact/hooks';
import { count, formatNumber, startOfDay } from '../parts/format.ts';
import { useNarrow } from '../parts/use-narrow.ts';

const WEEKS = { wide: 53, narrow: 24 };
const CELL = 14;
const longDay = new Intl.DateTimeFormat('en-GB', {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
});
const month = new Intl.DateTimeFormat('en-GB', { month: 'short' });

/** The last year, or as many weeks as fit; one column for each week. */
export function ActivityCalendar({ days }: { days: { name: string; count: number }[] }) {
  const box = useRef<HTMLDivElement>(null);
  const { isNarrow } = useNarrow(box);
  const weeks = isNarrow ? WEEKS.narrow : WEEKS.wide;
  const counts = new Map(days.map((day) => [day.name, day.count]));
  const today = startOfDay(Date.now());
  const start = new Date(today);
  start.setDate(start.getDate() - ((start.getDay() + 6) % 7) - (weeks - 1) * 7);
  const cells = Array.from({ length: weeks * 7 }, (_, index) => {
    const date = new Date(start);
    date.setDate(start.getDate() + index);
    return { date, memories: counts.get(isoDay(date)) ?? 0 };
  }).filter(({ date }) => date.getTime() <= today);
  const most = Math.max(...cells.map(({ memories }) => memories), 1);
  const active = cells.filter(({ memories }) => memories > 0);
  const whole = active.reduce((sum, { memories }) => sum + memories, 0);
  const sentence = `${count(whole, 'memory', 'memories')} on ${count(active.length, 'day')} in ${weeks} weeks, at most ${formatNumber(most)} on one day.`;
  return (
    <>
      <p class="quiet">{sentence}</p>
      <div class="calendar" ref={box}>
        <svg viewBox={`0 0 ${weeks * CELL} ${7 * CELL + 16}`} role="img" aria-label={sentence}>
          {cells.map(({ date, memories }, index) => (
            <rect
              key={index}
              class={`level-${levelOf(memories, most)}`}
              x={Math.floor(index / 7) * CELL}
              y={(index % 7) * CELL + 16}
              width={CELL - 3}
              height={CELL - 3}
              rx="3"
            >
              <title>{`${longDay.format(date)}: ${count(memories, 'memory', 'memories')}`}</title>
            </rect>
          ))}
          {cells
            .filter(({ date }, index) => index % 7 === 0 && date.getDate() <= 7)
            .map(({ date }) => (
              <text key={date.getTime()} x={weekOf(date, start) * CELL} y="10">
                {month.format(date)}
              </text>
            ))}
        </svg>
      </div>
      <details class="as-table">
        <summary>Show as a table</summary>
        <table>
          <thead>
            <tr>
              <th scope="col">Day</th>
              <th scope="col">Memories</th>
            </tr>
          </thead>
          <tbody>
            {[...active].reverse().map(({ date, memories }) => (
              <tr key={date.getTime()}>
                <td>{longDay.format(date)}</td>
                <td class="num">{memories}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </>
  );
}

/** Four levels above zero, by square root: one busy day should not make all others pale. */
function levelOf(memories: number, most: number): number {
  return memories === 0 ? 0 : Math.max(1, Math.ceil(Math.sqrt(memories / most) * 4));
}

function weekOf(date: Date, start: Date): number {
  return Math.round((date.getTime() - start.getTime()) / (7 * 86_400_000));
}

function isoDay(date: Date): string {
  const two = (value: number) => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
