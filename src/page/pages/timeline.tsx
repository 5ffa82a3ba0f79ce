import { useRef, useState } from 'preact/hooks';
import { OBSERVATION_TYPES } from '../../model/memory.ts';
import { get } from '../api/call.ts';
import { knownProjects } from '../api/known-projects.ts';
import { useAnswer } from '../api/use-answer.ts';
import { count, formatNumber, startOfDay } from '../parts/format.ts';
import { InlineCode } from '../parts/markdown.tsx';
import { PageColumn, PageHeader } from '../parts/page-column.tsx';
import { PlaySample } from '../parts/sample.tsx';
import { EmptyNote, ErrorNote, LoadingRows } from '../parts/states.tsx';
import { Time } from '../parts/time.tsx';
import { TypeMark, typeName } from '../parts/type-mark.tsx';
import { useNarrow } from '../parts/use-narrow.ts';
import { useKeys } from '../shell/keys.ts';
import { navigate, place } from '../shell/router.ts';
import { showFailure, showToast } from '../shell/toast.tsx';
import { MOST_STONES, measureCanvas, pileStones } from './cairn-shapes.ts';
import { CairnsPicture, type Picture } from './cairns-picture.tsx';
import { savePicture } from './save-picture.ts';
import { arrangeDays, countMemories, nameWeek, type Period, readWeek, type Week } from './week.ts';
import { WeekHours } from './week-hours.tsx';

const MOST_DECISIONS = 6;
const SILENT_MS = 30 * 60_000;

const shortDay = new Intl.DateTimeFormat('en-GB', { weekday: 'short', day: 'numeric' });
const weekday = new Intl.DateTimeFormat('en-GB', { weekday: 'short' });
const dayAndMonth = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long' });

/** A week as seven cairns. */
export function TimelinePage() {
  const now = Date.now();
  const week = readWeek(place.value.query.get('week'), now);
  const from = week.days[0] ?? 0;
  const { data, error, isSlow, reload } = useAnswer(
    `period ${from}`,
    async (signal) => {
      const [period, { memories }] = await Promise.all([
        get('/api/period', { query: { from, to: week.end }, signal }),
        get('/api/memories', {
          query: { type: 'decision', since: from, before: week.end, limit: MOST_DECISIONS },
          signal,
        }),
      ]);
      return { period, decisions: memories };
    },
    ({ what }) => what === 'memory' || what === 'session',
  );
  const isLast = week.end > now;
  const older = `/timeline?week=${nameWeek(week, -1)}`;
  const newer = isLast ? null : `/timeline?week=${nameWeek(week, 1)}`;
  useKeys({
    '[': { label: 'Previous week', run: () => navigate(older) },
    ']': { label: 'Next week', run: () => newer !== null && navigate(newer) },
    ArrowLeft: { label: 'Previous week', run: () => navigate(older) },
    ArrowRight: { label: 'Next week', run: () => newer !== null && navigate(newer) },
  });
  return (
    <PageColumn label="Timeline">
      {error && !data && <ErrorNote error={error} what="The week could not be loaded" onRetry={reload} />}
      {!error && !data && isSlow && <LoadingRows rows={5} />}
      {data && (
        <WeekView week={week} period={data.period} decisions={data.decisions} older={older} newer={newer} />
      )}
    </PageColumn>
  );
}

function WeekView({
  week,
  period,
  decisions,
  older,
  newer,
}: {
  week: Week;
  period: Period;
  decisions: { id: number; title: string; project: string | null; at: number }[];
  older: string;
  newer: string | null;
}) {
  const box = useRef<HTMLDivElement>(null);
  const { isNarrow } = useNarrow(box);
  const [hasNames, setNames] = useState(false);
  const now = Date.now();
  const days = arrangeDays(week, period.sessions);
  const canvas = measureCanvas(isNarrow);
  const dayOf = (at: number) => week.days.indexOf(startOfDay(at));
  const running = period.sessions.find(
    ({ endedAt, lastSeen }) => endedAt === null && lastSeen > now - SILENT_MS,
  );
  const picture: Picture = {
    ...{ canvas, hasNames },
    cairns: pileStones(days, canvas),
    dayNames: week.days.map((day) => (isNarrow ? weekday : shortDay).format(day).replace(',', '')),
    today: dayOf(now) === -1 ? null : dayOf(now),
    runningDay: running ? dayOf(now) : null,
  };
  const first = week.days[0] ?? 0;
  const last = week.days[6] ?? 0;
  const caption = dayAndMonth.formatRange(first, last);
  const isCut = days.some((sessions) => sessions.length > MOST_STONES);
  const memories = period.sessions.reduce((sum, session) => sum + countMemories(session), 0);
  const save = async () => {
    try {
      await savePicture(picture, caption);
      showToast('Saved the picture to your downloads.');
    } catch (error) {
      showFailure(error);
    }
  };
  return (
    <>
      <PageHeader
        title={week.name === null ? 'Your week, one stone per session' : 'A week, one stone per session'}
        lead={`${caption}. Wider stones hold more memories; the bands show their types.${isCut ? ` Only the ${MOST_STONES} largest sessions of a day are drawn.` : ''}`}
      >
        <a class="btn" href={older}>
          Previous week <kbd>[</kbd>
        </a>
        {newer !== null && (
          <a class="btn" href={newer}>
            Next week <kbd>]</kbd>
          </a>
        )}
        <button type="button" class="btn" onClick={save} disabled={memories === 0}>
          Save picture
        </button>
      </PageHeader>
      <div class="cairns" ref={box}>
        {memories === 0 ? (
          <EmptyNote title="No session left a memory this week">
            <p>Each session that leaves a memory becomes a stone here.</p>
            {knownProjects.value.length === 0 && (
              <p>
                <PlaySample />
              </p>
            )}
          </EmptyNote>
        ) : (
          <CairnsPicture picture={picture} />
        )}
        <div class="legend">
          {OBSERVATION_TYPES.map((type) => (
            <span key={type} class={`t-${type}`}>
              <i />
              {typeName(type)}
            </span>
          ))}
          {!isNarrow && (
            <label class="names-switch">
              <input
                type="checkbox"
                checked={hasNames}
                onChange={(event) => setNames(event.currentTarget.checked)}
              />{' '}
              Project names in the picture
            </label>
          )}
        </div>
      </div>
      <dl class="four num">
        <Figure value={memories} name={`memories from ${count(period.sessions.length, 'session')}`} />
        <Figure value={period.tokensGiven} name="tokens given to agents" />
        <Figure value={period.memoriesGiven} name="times a memory was given" />
        <Figure value={new Set(period.sessions.map(({ project }) => project)).size} name="projects" />
      </dl>
      <div class="two">
        <WeekHours week={week} sessions={period.sessions} now={now} />
        <section class="card">
          <h2>Decisions</h2>
          {decisions.length === 0 && <p class="quiet">No decisions were recorded.</p>}
          <ul class="decisions">
            {decisions.map(({ id, title, project, at }) => (
              <li key={id}>
                <TypeMark type="decision" />
                <a href={`/m/${id}`}>
                  <span>
                    <InlineCode text={title} />
                  </span>
                  <small>
                    {project}, <Time at={at} />
                  </small>
                </a>
              </li>
            ))}
          </ul>
        </section>
      </div>
      {memories > 0 && <WeekTable week={week} days={days} />}
    </>
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

/** The picture as a table. */
function WeekTable({ week, days }: { week: Week; days: Period['sessions'][] }) {
  return (
    <details class="card as-table">
      <summary>The week as a table</summary>
      <table>
        <thead>
          <tr>
            <th scope="col">Day</th>
            <th scope="col">Session</th>
            <th scope="col">Memories</th>
            <th scope="col">Types</th>
          </tr>
        </thead>
        <tbody>
          {days.flatMap((sessions, day) =>
            sessions.map((session) => (
              <tr key={session.id}>
                <td class="num">{shortDay.format(week.days[day])}</td>
                <td>
                  <a class="link" href={`/s/${session.id}`}>
                    {session.project}
                  </a>
                </td>
                <td class="num">{countMemories(session)}</td>
                <td>
                  {session.byType.map(({ name, count: number }) => `${number} ${typeName(name)}`).join(', ')}
                </td>
              </tr>
            )),
          )}
        </tbody>
      </table>
    </details>
  );
}
