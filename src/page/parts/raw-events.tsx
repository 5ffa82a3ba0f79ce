import { useState } from 'preact/hooks';
import { get } from '../api/call.ts';
import type { StoredEvent } from '../api/types.ts';
import { useAnswer } from '../api/use-answer.ts';
import { formatDuration } from './format.ts';
import { ErrorNote } from './states.tsx';
import { Time } from './time.tsx';

const MOST_EVENTS = 200;
const NONE = new Set<number>();

/** The raw events of a turn, loaded on demand. `used` marks those that a memory was made from. */
export function RawEvents({
  turnId,
  what,
  used = NONE,
}: {
  turnId: number;
  what: string;
  used?: Set<number>;
}) {
  const [isOpen, open] = useState(false);
  return (
    <div class="turn-calls">
      <button type="button" class="link" aria-expanded={isOpen} onClick={() => open(!isOpen)}>
        {isOpen ? 'Hide' : 'Show'} {what}
      </button>
      {isOpen && <Events turnId={turnId} used={used} />}
    </div>
  );
}

function Events({ turnId, used }: { turnId: number; used: Set<number> }) {
  const { data, error, reload } = useAnswer(`events ${turnId}`, (signal) =>
    get('/api/turns/{id}/events', { params: { id: turnId }, query: { limit: MOST_EVENTS }, signal }),
  );
  if (error) return <ErrorNote error={error} what="The events could not be loaded" onRetry={reload} />;
  if (!data) return null;
  if (data.events.length === 0) return <p class="quiet">The raw events of this turn are no longer kept.</p>;
  return (
    <ul class="raw">
      {data.events.map((event) => (
        <li key={event.id} class={used.has(event.id) ? 'used' : undefined}>
          <details>
            <summary>
              <Time at={event.at} form="clock" /> <b>{event.tool ?? event.kind}</b> {describeTarget(event)}
              {event.outcome === 'failure' && <span class="tag warn">failed</span>}
              {event.durationMs !== null && <small> {formatDuration(event.durationMs)}</small>}
            </summary>
            <pre tabIndex={0}>{describeContent(event)}</pre>
          </details>
        </li>
      ))}
      {data.next !== null && <li class="quiet">Only the first {MOST_EVENTS} events are shown.</li>}
    </ul>
  );
}

function describeTarget({ files, input }: StoredEvent): string {
  const command = typeof input === 'object' && input !== null && 'command' in input ? input.command : null;
  return files[0]?.path ?? (typeof command === 'string' ? (command.split('\n')[0] ?? '') : '');
}

function describeContent({ text, input, response }: StoredEvent): string {
  const parts = [text, input, response].filter((part) => part !== null && part !== undefined);
  if (parts.length === 0) return 'No longer kept.';
  return parts.map((part) => (typeof part === 'string' ? part : JSON.stringify(part, null, 2))).join('\n\n');
}
