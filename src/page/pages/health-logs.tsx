import { get } from '../api/call.ts';
import { useAnswer } from '../api/use-answer.ts';
import { formatLogTime } from '../parts/format.ts';
import { ErrorNote } from '../parts/states.tsx';
import { navigate, place, withQuery } from '../shell/router.ts';

const LEVELS = ['debug', 'info', 'warn', 'error'] as const;
const SHOWN = new Set(['time', 'level', 'from', 'message']);

/** The latest lines of the log; the filter is in the address. */
export function HealthLogs() {
  const { query } = place.value;
  const level = LEVELS.find((option) => option === query.get('level')) ?? 'info';
  const from = query.get('from') ?? '';
  const { data, error, reload } = useAnswer(`logs ${level} ${from}`, (signal) =>
    get('/api/logs', { query: { level, limit: 100, ...(from !== '' && { from }) }, signal }),
  );
  const lines = [...(data?.lines ?? [])].reverse();
  const sources = [...new Set([...lines.map((line) => String(line.from ?? '')), from])]
    .filter(Boolean)
    .sort();
  const choose = (changes: Record<string, string>) => navigate(withQuery(changes), { replace: true });
  return (
    <section class="card">
      <h2>Log</h2>
      <p class="row">
        <label>
          Level{' '}
          <select
            class="chip"
            value={level}
            onChange={(event) => choose({ level: event.currentTarget.value })}
          >
            {LEVELS.map((option) => (
              <option key={option} value={option} selected={option === level}>
                {option}
              </option>
            ))}
          </select>
        </label>
        <label>
          Source{' '}
          <select class="chip" value={from} onChange={(event) => choose({ from: event.currentTarget.value })}>
            <option value="">all</option>
            {sources.map((option) => (
              <option key={option} value={option} selected={option === from}>
                {option}
              </option>
            ))}
          </select>
        </label>
        <button type="button" class="btn" onClick={reload}>
          Refresh
        </button>
      </p>
      {error && <ErrorNote error={error} what="The log could not be read" onRetry={reload} />}
      {data && lines.length === 0 && <p class="quiet">No log lines match.</p>}
      {lines.length > 0 && (
        <ol class="log" tabIndex={0} aria-label="Log lines, newest first">
          {lines.map((line, index) => (
            <li key={index} class={`level-${String(line.level)}`}>
              <span class="num">{describeTime(line)}</span>
              <b>{String(line.level ?? '')}</b>
              <span>
                {String(line.from ?? '')} {String(line.message ?? '')} <small>{describeRest(line)}</small>
              </span>
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}

function describeTime({ time }: Record<string, unknown>): string {
  const at = Date.parse(String(time));
  return Number.isNaN(at) ? '' : formatLogTime(at, Date.now());
}

function describeRest(line: Record<string, unknown>): string {
  return Object.entries(line)
    .filter(([name]) => !SHOWN.has(name))
    .map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(' ')
    .slice(0, 400);
}
