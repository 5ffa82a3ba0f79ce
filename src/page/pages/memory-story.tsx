import { useState } from 'preact/hooks';
import type { Memory, StoredEvent, Story } from '../api/types.ts';
import { agentName, count, formatDayInText, formatNumber } from '../parts/format.ts';
import { Icon } from '../parts/icon.tsx';
import { LongList } from '../parts/long-list.tsx';
import { InlineCode } from '../parts/markdown.tsx';
import { RawEvents } from '../parts/raw-events.tsx';
import { Time } from '../parts/time.tsx';

const SOURCES = { start: 'start', prompt: 'prompt', file: 'file', mcp: 'asked' };
const SENTENCES = {
  start: 'At the start of a session',
  prompt: 'With a prompt',
  file: 'Before a file was read',
  mcp: 'When the agent asked for it',
};
const LINES = {
  start: 'As a line at the start of a session',
  prompt: 'As a line with a prompt',
  file: 'As a line before a file was read',
  mcp: 'As a line when the agent asked for it',
};
const MOST_SHOWN = 5;

/** When agents were given the memory, and why. */
export function WhyGiven({ story }: { story: Story }) {
  const [isAll, showAll] = useState(false);
  const times = listTimes(story);
  const shown = isAll ? times : times.slice(0, MOST_SHOWN);
  return (
    <section class="part">
      <h2>Why agents were given this {times.length > 0 && <span>{count(times.length, 'time')}</span>}</h2>
      {times.length === 0 && <p class="quiet">No agent has been given this memory yet.</p>}
      {shown.length > 0 && (
        <ul class="why">
          {shown.map(({ source, agent, at, reason, tokens, sentence, context }) => (
            <li key={`${source} ${at}`}>
              <span class={source === 'prompt' ? 'tag accent' : 'tag grey'}>{SOURCES[source]}</span>
              <span>
                <GivenLink context={context}>{sentence}</GivenLink>
                <small>
                  {agentName(agent)}, <Time at={at} />
                  {reason !== '' && ` · ${reason}`}
                </small>
              </span>
              {tokens !== null && <small class="num">{formatNumber(tokens)} t</small>}
            </li>
          ))}
        </ul>
      )}
      {times.length > shown.length && (
        <button type="button" class="link" onClick={() => showAll(true)}>
          Show all {times.length}
        </button>
      )}
    </section>
  );
}

/** Latest first. A context without an injection only had one line of the memory, in an index or a list of sessions. */
function listTimes({ injections, contexts }: Story) {
  const given = injections.map((injection) => ({
    ...injection,
    sentence: SENTENCES[injection.source],
    context: findContext(contexts, injection),
  }));
  const whole = new Set(given.map(({ context }) => context));
  const lines = contexts
    .filter((context) => !whole.has(context))
    .map((context) => {
      const { source, agent, at } = context;
      return { source, agent, at, reason: '', tokens: null, sentence: LINES[source], context };
    });
  return [...given, ...lines].sort((one, other) => other.at - one.at);
}

/** Both records are written together but take their own timestamps. */
function findContext(contexts: Story['contexts'], { source, at }: { source: string; at: number }) {
  return contexts.find((one) => one.source === source && Math.abs(one.at - at) < 1_000);
}

/** Links to the whole text while it is stored. */
function GivenLink({
  context,
  children,
}: {
  context: Story['contexts'][number] | undefined;
  children: string;
}) {
  return context ? (
    <a class="link" href={`/injections/${context.id}`}>
      {children}
    </a>
  ) : (
    children
  );
}

/** Files that were changed and read, and whether they have changed since. */
export function Files({ story: { memory, freshness, changedFiles, goneFiles } }: { story: Story }) {
  const edited = new Set(memory.filesModified);
  const [changed, gone] = [new Set(changedFiles), new Set(goneFiles)];
  const files = [...edited, ...memory.filesRead.filter((path) => !edited.has(path))];
  if (files.length === 0) return null;
  return (
    <section class="part">
      <h2>Files</h2>
      <LongList
        name="files"
        items={files}
        render={(path) => (
          <li key={path}>
            <Icon name="file" size={14} />
            <span>{path}</span>
            {gone.has(path) ? (
              <span class="tag warn">gone or rewritten</span>
            ) : changed.has(path) ? (
              <span class="tag warn">changed since</span>
            ) : (
              <span class="tag grey">{edited.has(path) ? 'edited' : 'read'}</span>
            )}
          </li>
        )}
      />
      {freshness !== '' && <p class="quiet">{freshness}</p>}
    </section>
  );
}

/** The source of the memory, from the session down to the raw calls. */
export function Origin({ story: { memory, history, source } }: { story: Story }) {
  const calls = source.filter(({ tool }) => tool !== null);
  return (
    <section class="part">
      <h2>Where it comes from</h2>
      <ol class="chain">
        {memory.sessionId !== null && (
          <li>
            <a href={`/s/${memory.sessionId}`}>Session</a> in <b>{memory.project ?? 'no project'}</b>
            {memory.branch && (
              <>
                , branch <code>{memory.branch}</code>
              </>
            )}
            {memory.commit && (
              <>
                {' '}
                at <code>{memory.commit.slice(0, 7)}</code>
              </>
            )}
            {history.agent && <small>{agentName(history.agent)}</small>}
          </li>
        )}
        {history.prompt && (
          <li>
            {memory.prompt === null ? 'Prompt' : `Prompt ${memory.prompt}`}: “
            <bdi>
              <InlineCode text={history.prompt.slice(0, 300)} />
            </bdi>
            ”
          </li>
        )}
        {memory.turnId !== null && (
          <li>
            {calls.length > 0
              ? `${count(calls.length, 'tool call')}: ${countTools(calls)}`
              : 'From the conversation, no tool calls'}
            <RawEvents
              turnId={memory.turnId}
              what="the raw events of the turn"
              used={new Set(source.map(({ id }) => id))}
            />
          </li>
        )}
        <li>{describeMaker(memory)}</li>
      </ol>
    </section>
  );
}

function describeMaker({ distiller, saidBy, origin, at }: Memory): string {
  if (origin) return `Imported from ${origin}, ${formatDayInText(at, Date.now())}`;
  if (distiller === 'offline') return 'Distilled offline';
  if (saidBy === 'person') return `Said by you, recorded by ${distiller}`;
  return `Distilled by ${distiller}`;
}

function countTools(events: StoredEvent[]): string {
  const counts = new Map<string, number>();
  for (const { tool } of events) if (tool) counts.set(tool, (counts.get(tool) ?? 0) + 1);
  return [...counts].map(([tool, times]) => `${tool} ×${times}`).join(', ');
}

/** What happened to the memory later. */
export function History({ story: { memory, history } }: { story: Story }) {
  const lines = [
    ...history.repeatedIn.map(({ sessionId, at }) => ({ at, text: 'Seen again', href: `/s/${sessionId}` })),
    ...(memory.editedAt === null ? [] : [{ at: memory.editedAt, text: 'Edited', href: null }]),
    ...(memory.mergedAt === null
      ? []
      : [{ at: memory.mergedAt, text: 'Other memories were merged into it', href: null }]),
    ...(memory.pinnedAt === null ? [] : [{ at: memory.pinnedAt, text: 'Pinned', href: null }]),
  ].sort((one, other) => one.at - other.at);
  if (lines.length === 0 && history.replaced.length === 0) return null;
  return (
    <section class="part">
      <h2>History</h2>
      <ul class="history">
        {lines.map(({ at, text, href }) => (
          <li key={`${text} ${at}`}>
            <Time at={at} /> {href === null ? text : <a href={href}>{text}</a>}
          </li>
        ))}
        {history.replaced.map((id) => (
          <li key={id}>
            Replaced <a href={`/m/${id}`}>#{id}</a>
          </li>
        ))}
      </ul>
    </section>
  );
}
