import { useState } from 'preact/hooks';
import { type Answer, get } from '../api/call.ts';
import { useAnswer } from '../api/use-answer.ts';
import { agentName, count, formatClock, formatDay, formatNumber } from '../parts/format.ts';
import { PlaySample } from '../parts/sample.tsx';
import { EmptyNote, ErrorNote, LoadingRows } from '../parts/states.tsx';
import { useKeys } from '../shell/keys.ts';
import { navigate, place } from '../shell/router.ts';
import { InjectionSheet } from './injection-sheet.tsx';
import { SOURCE_NAMES } from './injection-sources.ts';

type Injection = Answer<'GET', '/api/injections'>['injections'][number];

const PAGE_ROWS = 50;
const MOST_ROWS = 200;

/** The contexts that agents were given: a list, and the exact text of one. */
export function InjectionsPage() {
  const chosen = Number(place.value.path.split('/')[2]) || null;
  const [limit, setLimit] = useState(PAGE_ROWS);
  const { data, error, isSlow, reload } = useAnswer(
    `injections ${limit}`,
    (signal) => get('/api/injections', { query: { limit }, signal }),
    ({ what }) => what === 'context',
  );
  const injections = data?.injections ?? [];
  const currentId = chosen ?? injections[0]?.id ?? null;
  const move = (step: number) => {
    const at = injections.findIndex(({ id }) => id === currentId);
    const next = injections[Math.max(0, Math.min(injections.length - 1, at + step))];
    if (!next) return;
    navigate(`/injections/${next.id}`, { replace: chosen !== null });
    requestAnimationFrame(() =>
      document.querySelector<HTMLElement>('.injection-list [aria-current]')?.focus(),
    );
  };
  useKeys({
    j: { label: 'Next injection', run: () => move(1) },
    k: { label: 'Previous injection', run: () => move(-1) },
    ArrowDown: { label: 'Next injection', run: () => move(1) },
    ArrowUp: { label: 'Previous injection', run: () => move(-1) },
    ...(chosen !== null && { Escape: { label: 'Back', run: () => navigate('/injections') } }),
  });
  if (data && injections.length === 0 && chosen === null) return <NothingGiven />;
  return (
    <div class={chosen === null ? 'injections' : 'injections sheet-open'}>
      <nav class="injection-list scroll" aria-label="What agents were given" tabIndex={0}>
        {chosen === null && <h1 class="hidden-text">Injections</h1>}
        {error && !data && <ErrorNote error={error} what="The list could not be loaded" onRetry={reload} />}
        {!error && !data && isSlow && <LoadingRows rows={6} />}
        {injections.map((injection, index) => {
          const day = formatDay(injection.at, Date.now());
          const before = injections[index - 1];
          return (
            <div key={injection.id}>
              {(!before || formatDay(before.at, Date.now()) !== day) && <h2>{day}</h2>}
              <InjectionRow injection={injection} isCurrent={injection.id === currentId} />
            </div>
          );
        })}
        {data?.next && limit < MOST_ROWS && (
          <button type="button" class="btn" onClick={() => setLimit(MOST_ROWS)}>
            Show older
          </button>
        )}
      </nav>
      {currentId !== null && <InjectionSheet key={currentId} id={currentId} isHeading={chosen !== null} />}
    </div>
  );
}

function InjectionRow({ injection, isCurrent }: { injection: Injection; isCurrent: boolean }) {
  const { id, at, agent, project, source, tokens, budget, shown, isForgotten } = injection;
  const share = budget === null || budget === 0 ? 0 : Math.min(1, tokens / budget);
  return (
    <a class="injection" href={`/injections/${id}`} aria-current={isCurrent ? 'true' : undefined}>
      <b>{SOURCE_NAMES[source]}</b>
      <small class="num">{formatClock(at)}</small>
      <small>
        {agentName(agent)}
        {project !== null && ` · ${project}`}
      </small>
      <small class="num">
        {isForgotten
          ? 'the text was forgotten'
          : `${count(tokens, 'token')}, ${count(shown.length, 'memory', 'memories')}`}
      </small>
      <span
        class="share"
        title={budget === null ? '' : `${formatNumber(tokens)} of ${formatNumber(budget)} tokens`}
      >
        <i style={{ width: `${share * 100}%` }} />
      </span>
    </a>
  );
}

function NothingGiven() {
  return (
    <div class="page">
      <h1 class="hidden-text">Injections</h1>
      <EmptyNote title="No agent has been given anything yet">
        <p>
          Cairn gives an agent memories when a session starts, with a prompt, and before a file is read. Every
          such text is kept here, word for word, with the reason for each line. See what a new session would
          get: <code>cairn context</code>
        </p>
        <p>
          <PlaySample />
        </p>
      </EmptyNote>
    </div>
  );
}
