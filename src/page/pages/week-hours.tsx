import { formatClock, formatSpan } from '../parts/format.ts';
import type { PeriodSession, Week } from './week.ts';

const weekday = new Intl.DateTimeFormat('en-GB', { weekday: 'short' });
const HOUR_MS = 3_600_000;
const STEP = 3;
const LEAST_HOURS = 9;
/** The hours shown for a week without sessions. */
const USUAL_HOURS = [9, 18];
const SILENT_MS = 30 * 60_000;
/** The least width of a session; narrower ones would be invisible. */
const LEAST_SHARE = 0.012;

/** When the sessions of a week ran, with one lane for each day. */
export function WeekHours({ week, sessions, now }: { week: Week; sessions: PeriodSession[]; now: number }) {
  const { from, hours } = findHours(week, sessions);
  return (
    <section class="card">
      <h2>When the work happened</h2>
      <div class="hours">
        {week.days.map((day, index) => {
          const end = week.days[index + 1] ?? week.end;
          const share = (at: number) =>
            ((Math.min(end, Math.max(day, at)) - day) / HOUR_MS - from) / ((hours.length - 1) * STEP);
          const lanes = sessions.filter(({ firstSeen, lastSeen }) => lastSeen >= day && firstSeen < end);
          return [
            <span key={`name ${day}`}>{weekday.format(day)}</span>,
            <div class="lane" key={day}>
              {lanes.map(({ id, project, firstSeen, lastSeen, endedAt }) => {
                const isRunning =
                  endedAt === null && lastSeen > now - SILENT_MS && lastSeen >= day && lastSeen < end;
                const width = Math.max(LEAST_SHARE, share(endedAt ?? lastSeen) - share(firstSeen));
                return (
                  <a
                    key={id}
                    class={isRunning ? 'running' : undefined}
                    href={`/s/${id}`}
                    title={`${project}, ${formatSpan(firstSeen, endedAt ?? lastSeen)}`}
                    aria-label={`${project}, from ${formatClock(firstSeen)} to ${formatClock(endedAt ?? lastSeen)}`}
                    style={{ left: `${share(firstSeen) * 100}%`, width: `${width * 100}%` }}
                  >
                    {width > 0.08 && <span>{project}</span>}
                  </a>
                );
              })}
            </div>,
          ];
        })}
        <span />
        <div class="axis num" aria-hidden="true">
          {hours.map((hour) => (
            <span key={hour}>{String(hour).padStart(2, '0')}</span>
          ))}
        </div>
      </div>
    </section>
  );
}

/** The hours with sessions, rounded to whole steps. Showing nights would leave little room for the rest. */
function findHours(week: Week, sessions: PeriodSession[]): { from: number; hours: number[] } {
  const times = week.days.flatMap((day, index) => {
    const end = week.days[index + 1] ?? week.end;
    return sessions
      .filter(({ firstSeen, lastSeen }) => lastSeen >= day && firstSeen < end)
      .flatMap(({ firstSeen, lastSeen, endedAt }) => [
        Math.max(day, firstSeen),
        Math.min(end, endedAt ?? lastSeen),
      ])
      .map((at) => Math.min(24, (at - day) / HOUR_MS));
  });
  if (times.length === 0) times.push(...USUAL_HOURS);
  const first = Math.floor(Math.min(...times, 24 - LEAST_HOURS) / STEP) * STEP;
  const last = Math.max(first + LEAST_HOURS, Math.ceil(Math.max(...times, 0) / STEP) * STEP);
  const from = Math.max(0, Math.min(first, 24 - LEAST_HOURS));
  return {
    from,
    hours: Array.from({ length: (Math.min(24, last) - from) / STEP + 1 }, (_, step) => from + step * STEP),
  };
}
