import type { Memory, RunningTurn, StoredEvent } from '../api/types.ts';
import { Elapsed } from '../parts/elapsed.tsx';
import {
  agentName,
  count,
  firstLetter,
  formatClock,
  formatDay,
  formatLongDay,
  formatSpan,
} from '../parts/format.ts';
import { InlineCode } from '../parts/markdown.tsx';
import { MemoryRow } from '../parts/memory-row.tsx';
import { Time } from '../parts/time.tsx';
import { withQuery } from '../shell/router.ts';
import { didText, type FeedLines, sayText } from './feed-heights.ts';
import type { FeedTurn } from './feed-turns.ts';
import { selected } from './selection.ts';

/** A turn in the feed, with the lines above it. feed-heights.ts computes its height. */
export function FeedArticle({
  item,
  lines,
  position,
  size,
  currentId,
  freshIds,
  visitedAt,
}: {
  item: FeedTurn;
  lines: FeedLines;
  position: number;
  /** The length of the feed; -1 while more can be loaded. */
  size: number;
  currentId: number | null;
  freshIds: Set<number>;
  visitedAt: number;
}) {
  const { key, day, turn, running, summary, memories } = item;
  const classes = ['turn', running && 'run', item.opensCard && 'opens', item.closesCard && 'closes'];
  return (
    <article aria-posinset={position} aria-setsize={size} aria-labelledby={`say-${key}`}>
      {day && (
        <div class="day">
          <h2>{formatDay(day.at, Date.now())}</h2>
          <span class="long-day">{formatLongDay(day.at)}</span>
          {day.isWhole && (
            <span>
              {count(day.sessions, 'session')}
              {day.memories > 0 && `, ${count(day.memories, 'memory', 'memories')}`}
            </span>
          )}
        </div>
      )}
      {item.isUnreadLine && <p class="unread">New since you last looked, {formatClock(visitedAt)}</p>}
      {item.opensCard && <CardHeader item={item} />}
      <div class={classes.filter(Boolean).join(' ')}>
        <span class="turn-number num" aria-hidden="true">
          {turn?.prompt ?? '·'}
        </span>
        <h3 class={`say lines-${lines.say}`} id={`say-${key}`}>
          <span>
            <InlineCode text={sayText(item)} />
          </span>
          {running ? (
            <Elapsed since={running.turn.openedAt} />
          ) : (
            <Time at={turn?.closedAt ?? item.at} form="clock" />
          )}
        </h3>
        {running && <RunningNow running={running} />}
        {summary && <SummaryLine summary={summary} lines={lines.did} isCurrent={summary.id === currentId} />}
        {memories.map((memory) => (
          <MemoryRow
            key={memory.id}
            memory={memory}
            href={withQuery({}, `/m/${memory.id}`)}
            isCurrent={memory.id === currentId}
            isFresh={freshIds.has(memory.id)}
            isSelected={selected.value.has(memory.id)}
            titleLines={lines.memories.get(memory.id)?.title ?? 1}
            height={lines.memories.get(memory.id)?.height}
          />
        ))}
      </div>
    </article>
  );
}

function CardHeader({ item: { session, running, memories, summary } }: { item: FeedTurn }) {
  const name = session ? agentName(session.agent) : 'Cairn';
  const project = session?.project ?? (memories[0] ?? summary)?.project ?? 'all projects';
  return (
    <div class="card-header">
      <span class="agent">
        <i aria-hidden="true">{firstLetter(name)}</i>
        {session ? <a href={`/s/${session.id}`}>{name}</a> : name}
      </span>
      <span class="slash" aria-hidden="true">
        /
      </span>
      <b>{project}</b>
      {session?.branch && <span class="mono branch">{session.branch}</span>}
      {running ? (
        <span class="at-end live">
          <i class="pulse" />
          working
        </span>
      ) : (
        session && (
          <span class="at-end num">{formatSpan(session.firstSeen, session.endedAt ?? session.lastSeen)}</span>
        )
      )}
      {running && session && <span class="num since">since {formatClock(session.firstSeen)}</span>}
    </div>
  );
}

function SummaryLine({ summary, lines, isCurrent }: { summary: Memory; lines: number; isCurrent: boolean }) {
  return (
    <a
      class={`did lines-${lines}`}
      href={withQuery({}, `/m/${summary.id}`)}
      aria-current={isCurrent ? 'true' : undefined}
      data-id={summary.id}
    >
      <span class="hidden-text">Summary: </span>
      <InlineCode text={didText(summary)} />
    </a>
  );
}

function RunningNow({ running: { tools, last } }: { running: RunningTurn }) {
  return (
    <>
      <p class="now">
        <code>{last ? describeCall(last) : 'Thinking'}</code>
        {last && <Elapsed since={last.at} />}
      </p>
      <p class="tools">
        {tools.slice(0, 6).map(({ name, count: times }) => (
          <span key={name}>
            {name} ×{times}
          </span>
        ))}
      </p>
    </>
  );
}

function describeCall({ tool, files, input }: StoredEvent): string {
  const command = typeof input === 'object' && input !== null && 'command' in input ? input.command : null;
  if (typeof command === 'string') return `$ ${command.split('\n')[0]}`;
  const path = files[0]?.path;
  return path ? `${tool} ${path}` : (tool ?? 'Working');
}
