import { useEffect, useState } from 'preact/hooks';
import { type Answer, get } from '../api/call.ts';
import { useAnswer } from '../api/use-answer.ts';
import { agentName, count, formatNumber } from '../parts/format.ts';
import { Icon } from '../parts/icon.tsx';
import { InlineCode } from '../parts/markdown.tsx';
import { EmptyNote, ErrorNote, LoadingRows } from '../parts/states.tsx';
import { Time } from '../parts/time.tsx';
import { TypeMark } from '../parts/type-mark.tsx';
import { useKeys } from '../shell/keys.ts';
import { place } from '../shell/router.ts';
import { showFailure, showToast } from '../shell/toast.tsx';
import { compareLines, type GivenLine, readGivenLines } from './injection-lines.ts';
import { SOURCE_NAMES } from './injection-sources.ts';

type Details = Answer<'GET', '/api/injections/{id}'>;
type Shown = Details['injection']['shown'][number];
type LeftOutMemory = Details['injection']['leftOut'][number];

/** The exact text, with the reason and the tokens of each memory next to its line. */
export function InjectionSheet({ id, isHeading }: { id: number; isHeading: boolean }) {
  const { data, error, isSlow, reload } = useAnswer(
    `injection ${id}`,
    (signal) => get('/api/injections/{id}', { params: { id }, signal }),
    ({ what, how }) => what === 'memory' && how !== 'added',
  );
  return (
    <section class="sheet-column scroll" tabIndex={0} aria-label={`Injection ${id}`}>
      <a class="btn back" href="/injections">
        <Icon name="back" size={14} /> Back
      </a>
      {error && !data && (
        <ErrorNote error={error} what={`Injection ${id} cannot be shown`} onRetry={reload} />
      )}
      {!error && !data && isSlow && <LoadingRows rows={5} />}
      {data && <Sheet details={data} isHeading={isHeading} />}
    </section>
  );
}

function Sheet({ details: { injection, before }, isHeading }: { details: Details; isHeading: boolean }) {
  const [isCompared, compare] = useState(false);
  const { text, shown, leftOut, source, at, agent, project, sessionId } = injection;
  const { hash } = place.value;
  const lines =
    text === null
      ? []
      : readGivenLines(
          text,
          shown.map(({ memoryId }) => memoryId),
        );
  const selected = lines.find(({ number }) => `l${number}` === hash);
  const chosen = shown.find(({ memoryId }) => memoryId === selected?.memoryId);
  // Without a selected line, show the memory with the highest score.
  const best = [...shown].sort((one, other) => (other.score ?? 0) - (one.score ?? 0))[0];
  useEffect(() => {
    if (hash !== '') document.getElementById(hash)?.scrollIntoView({ block: 'nearest' });
  }, [hash]);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text ?? '');
      showToast('Copied the text.');
    } catch (error) {
      showFailure(error);
    }
  };
  useKeys({
    c: { label: 'Copy the text', run: () => void copy() },
    ...(before !== null && {
      d: { label: 'Compare with the previous one', run: () => compare(!isCompared) },
    }),
  });
  const title = `What ${agentName(agent)} was given${project === null ? '' : ` in ${project}`}`;
  return (
    <>
      <div class="sheet-header">
        <div>
          <p>
            {SOURCE_NAMES[source]} · <Time at={at} />
            {sessionId !== null && (
              <>
                {' '}
                ·{' '}
                <a class="link" href={`/s/${sessionId}`}>
                  session
                </a>
              </>
            )}
          </p>
          {isHeading ? <h1>{title}</h1> : <h2>{title}</h2>}
        </div>
        <TokenMeter injection={injection} />
      </div>
      <p class="row sheet-actions">
        <button type="button" class="btn" disabled={text === null} onClick={copy}>
          Copy text <kbd>C</kbd>
        </button>
        {before !== null && (
          <button type="button" class="btn" aria-pressed={isCompared} onClick={() => compare(!isCompared)}>
            {isCompared ? 'Show reasons' : 'Compare with the previous one'} <kbd>D</kbd>
          </button>
        )}
      </p>
      {text === null ? (
        <EmptyNote title="This text was deleted">
          <p>It contained a memory that was forgotten. The time, the agent and the token count remain.</p>
        </EmptyNote>
      ) : isCompared && before !== null ? (
        <Difference beforeId={before} text={text} />
      ) : (
        <ol class="sheet">
          {lines.map((line) => (
            <Line
              key={line.number}
              line={line}
              isSelected={selected !== undefined && (line === selected || isSameMemory(line, selected))}
              shown={line.isFirst ? shown.find(({ memoryId }) => memoryId === line.memoryId) : undefined}
              mostScore={Math.max(...shown.map(({ score = 0 }) => score), 0)}
            />
          ))}
        </ol>
      )}
      <div class="sheet-cards">
        {(chosen ?? best) && <WhyCard memory={chosen ?? best} />}
        <section class="card">
          <h2>
            Left out <small>{count(leftOut.length, 'candidate')}</small>
          </h2>
          {leftOut.length === 0 && <p class="quiet">Nothing was left out.</p>}
          <ul class="left-out">
            {leftOut.map((memory) => (
              <li key={memory.memoryId}>
                <LeftOut memory={memory} />
              </li>
            ))}
          </ul>
        </section>
      </div>
    </>
  );
}

function isSameMemory(line: GivenLine, selected: GivenLine): boolean {
  return line.memoryId !== null && line.memoryId === selected.memoryId;
}

function Line({
  line: { number, text, memoryId, isFrame },
  isSelected,
  shown,
  mostScore,
}: {
  line: GivenLine;
  isSelected: boolean;
  shown: Shown | undefined;
  mostScore: number;
}) {
  return (
    <li class={isSelected ? 'line selected' : 'line'} id={`l${number}`}>
      <a
        class="num"
        href={`#l${number}`}
        aria-label={`Line ${number}`}
        aria-current={isSelected ? 'true' : undefined}
      >
        {number}
      </a>
      <code class={isFrame ? 'frame-text' : undefined}>{text}</code>
      <span class="margin">
        {shown && (
          <>
            {shown.score !== undefined && mostScore > 0 && (
              <span class="bar" aria-hidden="true">
                <i style={{ width: `${Math.max(6, (shown.score / mostScore) * 100)}%` }} />
              </span>
            )}
            <a class="cut" href={`/m/${memoryId}`} title={shown.reasons.join(' · ')}>
              {shown.reasons.join(' · ') || 'no reason recorded'}
            </a>
            <span class="num weight">
              {formatNumber(shown.tokens)} t<span class="hidden-text">okens</span>
            </span>
          </>
        )}
      </span>
    </li>
  );
}

function WhyCard({ memory }: { memory: Shown | undefined }) {
  if (!memory) return null;
  const { memoryId, title, type, reasons, score, tokens, how, parts } = memory;
  const FORMS = { full: 'in full', claims: 'as matching sentences', line: 'as one line' };
  return (
    <section class="card">
      <h2>
        {type !== null && <TypeMark type={type} isSmall />}
        Why #{memoryId}
        {score !== undefined && <small class="num">score {score.toFixed(2)}</small>}
      </h2>
      <p>
        <a class="link" href={`/m/${memoryId}`}>
          <InlineCode text={title ?? 'Since forgotten'} />
        </a>
      </p>
      {parts ? (
        <ScoreParts parts={parts} />
      ) : (
        <ul class="facts">
          {reasons.map((reason) => (
            <li key={reason}>{reason}</li>
          ))}
        </ul>
      )}
      <p class="quiet num">
        Given {FORMS[how]}, {count(tokens, 'token')}.
      </p>
    </section>
  );
}

/** The parts of its score. A negative part lowered it. */
function ScoreParts({ parts }: { parts: NonNullable<Shown['parts']> }) {
  const most = Math.max(...parts.map(({ points }) => Math.abs(points)), 0.01);
  return (
    <ul class="score-parts">
      {parts.map(({ name, points }) => (
        <li key={name} class={points < 0 ? 'minus' : undefined}>
          <span>{name}</span>
          <span class="bar" aria-hidden="true">
            <i style={{ width: `${(Math.abs(points) / most) * 100}%` }} />
          </span>
          <span class="num">{points.toFixed(2).replace('-', '−')}</span>
        </li>
      ))}
    </ul>
  );
}

function LeftOut({ memory: { memoryId, title, type, reason, score, parts } }: { memory: LeftOutMemory }) {
  const name = (
    <>
      {type !== null && <TypeMark type={type} isSmall />}
      <span class="cut">
        <InlineCode text={title ?? `#${memoryId}, forgotten`} />
      </span>
      <small>{reason}</small>
    </>
  );
  if (!parts) return <a href={`/m/${memoryId}`}>{name}</a>;
  return (
    <details>
      <summary>{name}</summary>
      <ScoreParts parts={parts} />
      <p class="quiet num">
        <a class="link" href={`/m/${memoryId}`}>
          #{memoryId}
        </a>
        {score !== undefined && `, score ${score.toFixed(2)}`}
      </p>
    </details>
  );
}

function TokenMeter({ injection: { tokens, budget, shown } }: { injection: Details['injection'] }) {
  const ofMemories = Math.min(
    tokens,
    shown.reduce((sum, memory) => sum + memory.tokens, 0),
  );
  const whole = Math.max(budget ?? 0, tokens, 1);
  const percent = (part: number) => `${(part / whole) * 100}%`;
  return (
    <div class="meter num">
      <p>
        <span>
          <b>{formatNumber(tokens)}</b>
          {budget === null ? ' tokens' : ` of ${formatNumber(budget)} tokens`}
        </span>
        <span>{count(shown.length, 'memory', 'memories')}</span>
      </p>
      <div class="stack" aria-hidden="true">
        <i class="of-memories" style={{ width: percent(ofMemories) }} />
        <i class="of-rest" style={{ width: percent(tokens - ofMemories) }} />
      </div>
      <p>
        <span>
          <i class="key of-memories" /> memories {formatNumber(ofMemories)}
        </span>
        <span>
          <i class="key of-rest" /> other text {formatNumber(tokens - ofMemories)}
        </span>
        {budget !== null && <span>{formatNumber(Math.max(0, budget - tokens))} free</span>}
      </p>
    </div>
  );
}

function Difference({ beforeId, text }: { beforeId: number; text: string }) {
  const { data, error, reload } = useAnswer(`injection ${beforeId}`, (signal) =>
    get('/api/injections/{id}', { params: { id: beforeId }, signal }),
  );
  if (error)
    return <ErrorNote error={error} what="The previous injection could not be loaded" onRetry={reload} />;
  if (!data) return <LoadingRows rows={3} />;
  if (data.injection.text === null) return <EmptyNote title="The previous text was deleted" />;
  const changes = compareLines(data.injection.text.split('\n'), text.split('\n'));
  const WORDS = { same: '', added: 'Added: ', removed: 'Removed: ' };
  const SIGNS = { same: ' ', added: '+', removed: '−' };
  return (
    <>
      <p class="quiet">
        Compared with{' '}
        <a class="link" href={`/injections/${beforeId}`}>
          {SOURCE_NAMES[data.injection.source].toLowerCase()}, <Time at={data.injection.at} />
        </a>
        , which the same session was given.
      </p>
      <ol class="sheet difference">
        {changes.map(({ kind, text: line }, index) => (
          <li class={`line ${kind}`} key={index}>
            <span class="num" aria-hidden="true">
              {SIGNS[kind]}
            </span>
            <code>
              <span class="hidden-text">{WORDS[kind]}</span>
              {line}
            </code>
          </li>
        ))}
      </ol>
    </>
  );
}
