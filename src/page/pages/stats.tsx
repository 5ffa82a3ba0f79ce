import { type Answer, get } from '../api/call.ts';
import { useAnswer } from '../api/use-answer.ts';
import { count, firstLetter, formatNumber } from '../parts/format.ts';
import { PageColumn, PageHeader } from '../parts/page-column.tsx';
import { PlaySample } from '../parts/sample.tsx';
import { EmptyNote, ErrorNote, LoadingRows } from '../parts/states.tsx';
import { TypeMark, typeName } from '../parts/type-mark.tsx';
import { ActivityCalendar } from './activity-calendar.tsx';
import { DayPlot } from './day-plot.tsx';

type Statistics = Answer<'GET', '/api/statistics'>;

/** How many memories there are, and how many of them agents were given. */
export function StatsPage() {
  const { data, error, isSlow, reload } = useAnswer(
    'statistics',
    (signal) => get('/api/statistics', { signal }),
    ({ what, how }) => what === 'memory' && how !== 'changed',
  );
  return (
    <PageColumn label="Statistics">
      <PageHeader title="Statistics" lead="Counted on this machine from what is stored now." />
      {error && !data && <ErrorNote error={error} what="Statistics could not be loaded" onRetry={reload} />}
      {!error && !data && isSlow && <LoadingRows rows={5} />}
      {data && data.reuse.memories === 0 && (
        <EmptyNote title="No memories yet">
          <p>Statistics appear here after the first turn of an agent is distilled.</p>
          <p>
            <PlaySample />
          </p>
        </EmptyNote>
      )}
      {data && data.reuse.memories > 0 && <Figures statistics={data} />}
    </PageColumn>
  );
}

function Figures({ statistics }: { statistics: Statistics }) {
  const { byType, byProject, memoriesByDay, givenByDay, reuse, latency } = statistics;
  const tokens = givenByDay.reduce((sum, day) => sum + day.tokens, 0);
  const contexts = givenByDay.reduce((sum, day) => sum + day.contexts, 0);
  return (
    <>
      <section class="card">
        <h2>Activity: memories per day</h2>
        <ActivityCalendar days={memoriesByDay} />
      </section>
      <dl class="four num">
        <Figure value={reuse.memories} name="memories" />
        <Figure value={tokens} name={`tokens given to agents in ${count(contexts, 'injection')}`} />
        <Figure value={reuse.given} name="memories given at least once" />
        <Figure value={reuse.givenAgain} name="given in more than one session" />
      </dl>
      <section class="card">
        <h2>How many are reused</h2>
        <p>
          {reuse.given === 0 ? (
            'No agent has been given a memory yet.'
          ) : (
            <>
              {formatNumber(reuse.givenAgain)} of {count(reuse.given, 'memory', 'memories')} that agents were
              given reached more than one session; {formatNumber(reuse.memories - reuse.given)} of{' '}
              {formatNumber(reuse.memories)} were never given.
            </>
          )}
        </p>
        <p class="quiet">
          A memory counts as reused if at least two sessions were given it: at the start, with a prompt,
          before a file was read, or on request. Whether it helped is not measured. Tokens are counted in
          texts that are still kept (<code>retention.contextDays</code>).
        </p>
      </section>
      <div class="two even">
        <Bars title="By type" rows={byType} isType />
        <Bars title="By project" rows={byProject} />
      </div>
      <LatencyCard latency={latency} />
      <DayPlot title="Growth: total memories" unit="memories" days={sumUp(memoriesByDay, reuse.memories)} />
      {givenByDay.length > 0 && (
        <DayPlot
          title="Tokens given per day"
          unit="tokens"
          days={givenByDay.map(({ name, tokens: given }) => ({ name, count: given })).reverse()}
        />
      )}
    </>
  );
}

/** Measured from the log, so it covers only the days for which logs are kept. */
function LatencyCard({ latency: { hooks, searches } }: Pick<Statistics, 'latency'>) {
  const rows = [
    ...hooks.map((row) => ({ ...row, label: `Hook ${row.name}` })),
    ...searches.map((row) => ({ ...row, label: `Search ${row.name}` })),
  ];
  const most = Math.max(...rows.map(({ slow }) => slow), 1);
  return (
    <section class="card">
      <h2>Hook and search latency</h2>
      {rows.length === 0 ? (
        <p class="quiet">The log has no hook replies or searches yet.</p>
      ) : (
        <table class="latency num">
          <thead>
            <tr>
              <th scope="col">Operation</th>
              <th scope="col">Calls</th>
              <th scope="col">Median</th>
              <th scope="col">95th percentile</th>
              <td />
            </tr>
          </thead>
          <tbody>
            {rows.map(({ label, count: calls, median, slow }) => (
              <tr key={label}>
                <th scope="row">{label}</th>
                <td>{formatNumber(calls)}</td>
                <td>{formatNumber(median)} ms</td>
                <td>{formatNumber(slow)} ms</td>
                <td>
                  <span class="track" aria-hidden="true">
                    <i class="pale" style={{ width: `${(slow / most) * 100}%` }} />
                    <i style={{ width: `${(median / most) * 100}%` }} />
                  </span>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <p class="quiet">
        Hooks that only record an event take a few milliseconds and are not logged. Times are measured inside
        the hook and do not include starting its process.
      </p>
    </section>
  );
}

function Figure({ value, name }: { value: number; name: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{formatNumber(value)}</dd>
    </div>
  );
}

/** Sums up backwards from the latest day, which includes memories older than the list. */
function sumUp(latestFirst: Statistics['memoriesByDay'], whole: number): Statistics['memoriesByDay'] {
  let left = whole;
  const sums = latestFirst.map(({ name, count: added }) => {
    const day = { name, count: left };
    left -= added;
    return day;
  });
  return sums.reverse();
}

function Bars({
  title,
  rows,
  isType = false,
}: {
  title: string;
  rows: Statistics['byType'];
  isType?: boolean;
}) {
  const most = Math.max(...rows.map((row) => row.count), 1);
  return (
    <section class="card">
      <h2>{title}</h2>
      <ul class="bars">
        {rows.map((row) => (
          <li key={row.name} class={isType ? `t-${row.name}` : undefined}>
            {isType ? (
              <TypeMark type={row.name} isSmall />
            ) : (
              <i class="letter" aria-hidden="true">
                {firstLetter(row.name)}
              </i>
            )}
            <span class="cut">
              {isType ? <span aria-hidden="true">{typeName(row.name)}</span> : row.name}
            </span>
            <span class="track" aria-hidden="true">
              <i style={{ width: `${(row.count / most) * 100}%` }} />
            </span>
            <span class="num">{formatNumber(row.count)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
