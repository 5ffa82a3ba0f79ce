import { useEffect } from 'preact/hooks';
import type { Answer } from '../api/call.ts';
import { get } from '../api/call.ts';
import type { Memory, Session, Turn } from '../api/types.ts';
import { useAnswer } from '../api/use-answer.ts';
import { agentName, count, formatDuration, formatLongDay, formatSpan } from '../parts/format.ts';
import { LongList } from '../parts/long-list.tsx';
import { InlineCode } from '../parts/markdown.tsx';
import { MemoryRow } from '../parts/memory-row.tsx';
import { PageColumn, PageHeader } from '../parts/page-column.tsx';
import { RawEvents } from '../parts/raw-events.tsx';
import { EmptyNote, ErrorNote, LoadingRows } from '../parts/states.tsx';
import { Time } from '../parts/time.tsx';
import { useKeys } from '../shell/keys.ts';
import { navigate, place } from '../shell/router.ts';

type Injection = Answer<'GET', '/api/injections'>['injections'][number];

const MOST_ROWS = 200;

/** One session as a story, turn by turn. */
export function SessionPage() {
  const id = Number(place.value.path.split('/')[2]);
  const { data, error, isSlow, reload } = useAnswer(
    `session ${id}`,
    (signal) => loadStory(id, signal),
    ({ what }) => what === 'turn' || what === 'memory' || what === 'session',
  );
  return (
    <PageColumn label="Session">
      {error && !data && <ErrorNote error={error} what={`Session ${id} cannot be shown`} onRetry={reload} />}
      {!error && !data && isSlow && <LoadingRows rows={5} />}
      {data && <SessionStory key={id} {...data} />}
    </PageColumn>
  );
}

interface Story {
  session: Session;
  turns: Turn[];
  memories: Memory[];
  injections: Injection[];
  newer: number | null;
  older: number | null;
}

async function loadStory(id: number, signal: AbortSignal): Promise<Story> {
  const story = await get('/api/sessions/{id}', { params: { id }, signal });
  const [memories, { injections }] = await Promise.all([
    loadMemories(id, signal),
    get('/api/injections', { query: { session: story.session.agentSession, limit: MOST_ROWS }, signal }),
  ]);
  return { ...story, memories, injections };
}

async function loadMemories(session: number, signal: AbortSignal): Promise<Memory[]> {
  const found: Memory[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await get('/api/memories', {
      query: { session, limit: MOST_ROWS, ...(cursor && { cursor }) },
      signal,
    });
    found.push(...page.memories);
    if (page.next === null) return found.reverse();
    cursor = page.next;
  }
}

function SessionStory({ session, turns, memories, injections, newer, older }: Story) {
  const { hash } = place.value;
  useEffect(() => {
    if (hash !== '') document.getElementById(hash)?.scrollIntoView({ block: 'start' });
  }, [hash]);
  const step = (by: number) => {
    const at = turns.findIndex((turn, index) => anchorOf(turn, index) === hash);
    const index = Math.max(0, Math.min(turns.length - 1, at + by));
    const turn = turns[index];
    if (!turn) return;
    const anchor = anchorOf(turn, index);
    navigate(`/s/${session.id}#${anchor}`, { replace: true });
    document.getElementById(anchor)?.focus();
  };
  const open = (id: number | null) => id !== null && navigate(`/s/${id}`);
  useKeys({
    j: { label: 'Next turn', run: () => step(1) },
    k: { label: 'Previous turn', run: () => step(-1) },
    '[': { label: 'Older session', run: () => open(older) },
    ']': { label: 'Newer session', run: () => open(newer) },
    Escape: { label: 'Back to the feed', run: () => navigate('/') },
  });
  const loose = memories.filter(({ turnId }) => turnId === null || !turns.some((turn) => turn.id === turnId));
  return (
    <>
      <PageHeader
        title={<InlineCode text={titleOf(session)} />}
        lead={<SessionLead session={session} memories={memories.length} />}
      >
        {older !== null && (
          <a class="btn" href={`/s/${older}`}>
            Older <kbd>[</kbd>
          </a>
        )}
        {newer !== null && (
          <a class="btn" href={`/s/${newer}`}>
            Newer <kbd>]</kbd>
          </a>
        )}
      </PageHeader>
      {session.changedFiles.length > 0 && (
        <details class="changed-files">
          <summary>{count(session.changedFiles.length, 'changed file')}</summary>
          <LongList name="mono" items={session.changedFiles} render={(path) => <li key={path}>{path}</li>} />
        </details>
      )}
      {turns.length === 0 && <EmptyNote title="This session has no prompts yet" />}
      <ol class="story">
        {turns.map((turn, index) => (
          <StoryTurn
            key={turn.id}
            turn={turn}
            anchor={anchorOf(turn, index)}
            isCurrent={anchorOf(turn, index) === hash}
            memories={memories.filter(({ turnId }) => turnId === turn.id)}
            injections={injections.filter(({ at }) => belongsTo(at, turns, index))}
          />
        ))}
      </ol>
      {loose.length > 0 && (
        <section class="card">
          <h2>Outside a turn</h2>
          {loose.map((memory) => (
            <MemoryRow key={memory.id} memory={memory} href={`/m/${memory.id}`} isCurrent={false} />
          ))}
        </section>
      )}
    </>
  );
}

function titleOf({ firstPrompt, agent, project }: Session): string {
  const line = firstPrompt?.trim().split('\n')[0] ?? '';
  if (line === '') return `${agentName(agent)} in ${project}`;
  return line.length > 120 ? `${line.slice(0, 119)}…` : line;
}

function SessionLead({ session, memories }: { session: Session; memories: number }) {
  const { agent, project, branch, firstSeen, lastSeen, endedAt, prompts, events } = session;
  const end = endedAt ?? lastSeen;
  return (
    <>
      {agentName(agent)} in <b>{project}</b>
      {branch && (
        <>
          , branch <code>{branch}</code>
        </>
      )}{' '}
      · {formatLongDay(firstSeen)}, {formatSpan(firstSeen, end)} ({formatDuration(end - firstSeen)}) ·{' '}
      {count(prompts, 'prompt')}, {count(events, 'event')}, {count(memories, 'memory', 'memories')}
      {endedAt === null && <span class="tag accent">open</span>}
    </>
  );
}

/** `turn-6`, with the number of the turn's prompt. */
function anchorOf({ prompt }: Turn, index: number): string {
  return `turn-${prompt ?? index + 1}`;
}

/** Anything before the first turn belongs to the first turn. */
function belongsTo(at: number, turns: Turn[], index: number): boolean {
  const from = index === 0 ? 0 : (turns[index]?.openedAt ?? 0);
  const next = turns[index + 1]?.openedAt ?? Number.POSITIVE_INFINITY;
  return at >= from && at < next;
}

const WHEN = {
  start: 'At the start',
  prompt: 'With the prompt',
  file: 'Before reading a file',
  mcp: 'On request',
};

function StoryTurn({
  turn,
  anchor,
  isCurrent,
  memories,
  injections,
}: {
  turn: Turn;
  anchor: string;
  isCurrent: boolean;
  memories: Memory[];
  injections: Injection[];
}) {
  const summary = memories.find(({ kind }) => kind === 'summary');
  const rest = memories.filter((memory) => memory !== summary);
  return (
    <li
      class={isCurrent ? 'story-turn current' : 'story-turn'}
      id={anchor}
      tabIndex={-1}
      aria-current={isCurrent ? 'true' : undefined}
    >
      <a class="turn-number num" href={`#${anchor}`} aria-label={`Link to turn ${turn.prompt ?? ''}`}>
        {turn.prompt ?? '·'}
      </a>
      <h2 class="words">
        <InlineCode text={turn.request ?? 'Prompt is private or was not recorded'} />{' '}
        <Time at={turn.openedAt} form="clock" />
      </h2>
      {injections.map(({ id, source, tokens, shown }) => (
        <p class="given" key={id}>
          {WHEN[source]}, the agent was given{' '}
          <a class="link" href={`/injections/${id}`}>
            {count(shown.length, 'memory', 'memories')}, {count(tokens, 'token')}
          </a>
        </p>
      ))}
      {summary && <Result summary={summary} />}
      {turn.closedAt === null && <p class="live">The agent is working</p>}
      {rest.map((memory) => (
        <MemoryRow key={memory.id} memory={memory} href={`/m/${memory.id}`} isCurrent={false} />
      ))}
      {turn.closedAt !== null && turn.distilledAt === null && (
        <p class="quiet">Not distilled yet. The worker will do it soon.</p>
      )}
      {turn.distilledAt !== null && memories.length === 0 && <p class="quiet">No memories from this turn.</p>}
      {turn.events > 0 && (
        <RawEvents turnId={turn.id} what={`what the agent did: ${count(turn.events, 'event')}`} />
      )}
    </li>
  );
}

function Result({ summary }: { summary: Memory }) {
  const { completed, learned, nextSteps } = summary.parts ?? { completed: '', learned: '', nextSteps: '' };
  const lines = [completed || learned || summary.title, ...(completed && learned ? [learned] : [])];
  return (
    <div class="result">
      {lines.map((line) => (
        <p key={line}>
          <InlineCode text={line} />
        </p>
      ))}
      {nextSteps && (
        <p>
          <b>Next:</b> <InlineCode text={nextSteps} />
        </p>
      )}
      <a class="link num" href={`/m/${summary.id}`}>
        Summary #{summary.id}
      </a>
    </div>
  );
}
