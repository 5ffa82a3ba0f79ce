import { useEffect, useRef, useState } from 'preact/hooks';
import { get } from '../api/call.ts';
import type { Hit } from '../api/types.ts';
import { useAnswer } from '../api/use-answer.ts';
import { count, formatNumber } from '../parts/format.ts';
import { Highlight } from '../parts/highlight.tsx';
import { InlineCode } from '../parts/markdown.tsx';
import { lineOf } from '../parts/memory-row.tsx';
import { ErrorNote, LoadingRows } from '../parts/states.tsx';
import { Time } from '../parts/time.tsx';
import { TypeMark } from '../parts/type-mark.tsx';
import { useNarrow } from '../parts/use-narrow.ts';
import { useKeys } from '../shell/keys.ts';
import { navigate, place, withQuery } from '../shell/router.ts';
import { readFilter } from './filter.ts';
import { MemoryPane } from './memory.tsx';
import { HowToSearch, NothingFound } from './search-empty.tsx';

/** Two screens: each further hit delays the results between two key presses. */
const FIRST_HITS = 20;
const MOST_HITS = 50;
/** The mark of weaker hits, which a heading replaces. */
const WEAKER = 'weaker';

/** Searches memories while the person types, explains each hit and shows the selected one next to the list. */
export function Search() {
  const scroller = useRef<HTMLDivElement>(null);
  const { isNarrow } = useNarrow(scroller);
  const { query } = place.value;
  const words = (query.get('q') ?? '').trim();
  const filter = readFilter(query);
  const operators = [filter.type && `type:${filter.type}`, filter.agent && `agent:${filter.agent}`].filter(
    Boolean,
  );
  const q = [words, ...operators].join(' ').trim();
  const [allOf, setAllOf] = useState('');
  const limit = allOf === q ? MOST_HITS : FIRST_HITS;
  const {
    data: answer,
    error,
    isSlow,
    reload,
  } = useAnswer(
    `search ${limit} ${filter.project ?? ''} ${q}`,
    async (signal) => {
      if (words === '') return null;
      const project = filter.project === undefined ? {} : { project: filter.project };
      return get('/api/search', { query: { q, ...project, typing: 'true', limit }, signal });
    },
    (change) => change.what === 'memory' && change.how !== 'added',
  );
  // Keeps the previous results until the next ones arrive, which avoids flicker.
  const last = useRef(answer);
  if (answer || words === '') last.current = answer;
  const data = last.current;
  const hits = data?.hits ?? [];
  const chosen = Number(query.get('m')) || null;
  const ids = hits.flatMap(({ memory }) => memory?.id ?? []);
  const currentId = chosen ?? (isNarrow ? null : (ids[0] ?? null));
  const move = (step: number) => {
    const at = currentId === null ? -1 : ids.indexOf(currentId);
    const id = ids[Math.max(0, Math.min(ids.length - 1, at + step))];
    if (id === undefined) return;
    navigate(withQuery({ m: String(id) }), { replace: true });
    requestAnimationFrame(() => document.querySelector<HTMLElement>(`[data-id="${id}"]`)?.focus());
  };
  useKeys({
    j: { label: 'Next result', run: () => move(1) },
    k: { label: 'Previous result', run: () => move(-1) },
    ArrowDown: { label: 'Next result', run: () => move(1) },
    ArrowUp: { label: 'Previous result', run: () => move(-1) },
    Escape: {
      label: 'Back',
      run: () => (chosen === null ? navigate('/') : navigate(withQuery({ m: null }))),
    },
  });
  // The button for more hits is gone, so the first of the new hits gets the focus.
  const isMore = limit === MOST_HITS && hits.length > FIRST_HITS;
  useEffect(() => {
    if (isMore) document.querySelectorAll<HTMLElement>('.hits a')[FIRST_HITS]?.focus();
  }, [isMore]);
  // A new query closes the selected hit.
  const wordsBefore = useRef(words);
  useEffect(() => {
    if (wordsBefore.current !== words && chosen !== null) navigate(withQuery({ m: null }), { replace: true });
    wordsBefore.current = words;
  }, [words, chosen]);

  return (
    <div class={chosen === null ? 'split' : 'split memory-open'}>
      <section class="scroll feed-column" ref={scroller} tabIndex={0} aria-label="Results">
        <div class="feed">
          <h1 class="hidden-text">Search</h1>
          {words === '' && <HowToSearch />}
          {error && <ErrorNote error={error} what="This search failed" onRetry={reload} />}
          {!error && !data && isSlow && words !== '' && <LoadingRows />}
          {data && (
            <p
              class={hits.length === 0 && data.replaced.length === 0 ? 'hidden-text' : 'found'}
              role="status"
            >
              {countOf(hits.length, data.more)} for “{words}”
              {data.replaced.map(({ typed, used }) => (
                <span key={typed}>
                  {' '}
                  · searched for <b>{used}</b> instead of “{typed}”
                </span>
              ))}
            </p>
          )}
          {data?.notice && <p class="quiet">{data.notice}</p>}
          {data && hits.length === 0 && (
            <NothingFound words={words} hasFilter={Object.keys(filter).length > 0} />
          )}
          {hits.length > 0 && (
            <ol class="hits">
              {hits.map((hit, index) => {
                const isFirstWeaker = hit.isWeaker && !hits[index - 1]?.isWeaker;
                return (
                  <li key={hit.entry.id}>
                    {isFirstWeaker && <p class="weaker">Weaker matches</p>}
                    <HitRow hit={hit} isCurrent={hit.memory !== null && hit.memory.id === currentId} />
                  </li>
                );
              })}
            </ol>
          )}
          {hits.length === FIRST_HITS && limit === FIRST_HITS && (
            <button type="button" class="btn more-hits" onClick={() => setAllOf(q)}>
              Show more results
            </button>
          )}
        </div>
      </section>
      {currentId !== null && hits.length > 0 && (
        <MemoryPane id={currentId} backHref={withQuery({ m: null })} />
      )}
    </div>
  );
}

/** `20 of 37 results`. The API counts no further than this. */
const MOST_COUNTED = 1_000;

function countOf(shown: number, more: number): string {
  const all = shown + more;
  if (more === 0) return shown >= FIRST_HITS ? `The best ${shown} results` : count(shown, 'result');
  const total = all > MOST_COUNTED ? `more than ${formatNumber(MOST_COUNTED)}` : formatNumber(all);
  return `${shown} of ${total} results`;
}

function HitRow({ hit: { entry, memory }, isCurrent }: { hit: Hit; isCurrent: boolean }) {
  const inside = (
    <>
      <TypeMark type={entry.type} />
      <span class="memory-title">
        <Highlight text={entry.title} places={entry.matches} />
        {entry.marks
          .filter((mark) => mark !== WEAKER)
          .map((mark) => (
            <span class="tag grey" key={mark}>
              {mark}
            </span>
          ))}
      </span>
      <span class="memory-number num">
        {entry.id} · <Time at={entry.at} />
      </span>
      {!entry.claim && memory && (
        <span class="claim">
          <InlineCode text={lineOf(memory)} />
        </span>
      )}
      {entry.claim && (
        <span class="claim">
          <Highlight text={entry.claim.text} places={entry.claim.matches} />
        </span>
      )}
      <span class="reasons">
        {entry.project && <span>{entry.project}</span>}
        {entry.file && <span class="mono">{entry.file}</span>}
        {entry.reasons.map((reason) => (
          <span key={reason}>
            <InlineCode text={reason} />
          </span>
        ))}
        <span>{formatNumber(entry.tokens)} tokens</span>
      </span>
    </>
  );
  if (!memory) return <div class="memory hit">{inside}</div>;
  return (
    <a
      class="memory hit"
      href={withQuery({ m: String(memory.id) })}
      aria-current={isCurrent ? 'true' : undefined}
      data-id={memory.id}
    >
      {inside}
    </a>
  );
}
