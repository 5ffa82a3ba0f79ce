import { get } from '../api/call.ts';
import type { StoredEvent } from '../api/types.ts';
import { useAnswer } from '../api/use-answer.ts';
import { formatDuration } from './format.ts';
import { Time } from './time.tsx';

/** Every event of a turn; those that a memory was made from are marked. */
export function RawEvents({ turnId, used }: { turnId: number; used: Set<number> }) {
  const { data, error } = useAnswer(`events ${turnId}`, (signal) =>
    get('/api/turns/{id}/events', { params: { id: turnId }, query: { limit: 200 }, signal }),
  );
  if (error) return <p class="quiet">{error.message}</p>;
  if (!data) return null;
  if (data.events.length === 0) return <p class="quiet">The raw events of this turn are no longer kept.</p>;
  return (
    <ul class="raw">
      {data.events.map((event) => (
        <li key={event.id} class={used.has(event.id) ? 'used' : undefined}>
          <details>
            <summary>
              <span class="num">
                <Time at={event.at} form="clock" />
              </span>{' '}
              {event.tool ?? event.kind} {event.files[0]?.path ?? ''}
              {event.outcome === 'failure' && <span class="tag warn">failed</span>}
              {event.durationMs !== null && <small> {formatDuration(event.durationMs)}</small>}
            </summary>
            <pre tabIndex={0}>{describeEvent(event)}</pre>
          </details>
        </li>
      ))}
    </ul>
  );
}

function describeEvent({ text, input, response }: StoredEvent): string {
  const parts = [text, input, response].filter((part) => part !== null && part !== undefined);
  if (parts.length === 0) return 'No longer kept.';
  return parts.map((part) => (typeof part === 'string' ? part : JSON.stringify(part, null, 2))).join('\n\n');
}
