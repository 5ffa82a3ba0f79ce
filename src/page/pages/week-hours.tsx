import { formatClock } from '../parts/format.ts';
import type { PeriodSession, Week } from './week.ts';

const weekday = new Intl.DateTimeFormat('en-GB', { weekday: 'short' });
const HOURS = [0, 6, 12, 18, 24];
const SILENT_MS = 30 * 60_000;
/** Shorter sessions could not be seen. */
const LEAST_SHARE = 0.012;

/** When the sessions of a week ran, a lane for each day. */
export function WeekHours({ week, sessions, now }: { week: Week; sessions: PeriodSession[]; now: number }) {
  return (
    <section class="card">
      <h2>When the work happened</h2>
      <div class="hours">
        {week.days.map((day, index) => {
          const end = week.days[index + 1] ?? week.end;
          const share = (at: number) => (Math.min(end, Math.max(day, at)) - day) / (end - day);
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
                    title={`${project}, ${formatClock(firstSeen)} – ${formatClock(endedAt ?? lastSeen)}`}
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
          {HOURS.map((hour) => (
            <span key={hour}>{String(hour).padStart(2, '0')}</span>
          ))}
        </div>
      </div>
    </section>
  );
}
