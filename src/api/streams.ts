import type { ServerResponse } from 'node:http';
import type { Store } from '../store/store.ts';
import type { Change } from '../store/types/change.ts';
import { readAccess } from './access.ts';
import { NO_STORE, SECURITY_HEADERS } from './headers.ts';
import type { ApiOptions } from './options.ts';
import { Problem } from './problem.ts';

const LOOK_MS = 250;
/** Without heartbeats a page would not notice a suspended worker: the kernel keeps the connection open. */
const HEARTBEAT_MS = 2_000;
const RETRY_MS = 2_000;
const MOST_PER_KEY = 8;
const AT_ONCE = 500;
/** A page that does not read its messages is disconnected. It continues when it connects again. */
const MOST_UNREAD_BYTES = 256 * 1_024;

interface Stream {
  response: ServerResponse;
  keyId: string;
  /** The secret that signed its key. */
  secret: string;
  /** The number of the last change sent. */
  number: number;
  toldAt: number;
}

/** Server-sent events over plain responses. Polls the store, because other processes change it too. */
export function createStreams({
  paths,
  openCall,
  now,
  onStreamEnd,
}: Pick<ApiOptions, 'paths' | 'openCall' | 'now' | 'onStreamEnd'>) {
  const streams = new Set<Stream>();
  let timer: NodeJS.Timeout | undefined;

  function look(): void {
    try {
      const { store } = openCall();
      const { last } = store.getChangeRange();
      const { secret } = readAccess(paths);
      for (const stream of streams) {
        // Its key was revoked; the page gets the reason when it connects again.
        if (stream.secret !== secret) stream.response.end();
        else tell(store, stream, last);
      }
    } catch {
      // The database is busy or being rebuilt; the next poll follows soon.
    }
  }

  function tell(store: Store, stream: Stream, last: number): void {
    const { response } = stream;
    if (response.writableLength > MOST_UNREAD_BYTES) {
      response.destroy();
      return;
    }
    // A rebuild renumbers the changes.
    if (last < stream.number) reset(stream, last);
    else if (last > stream.number) {
      const changes = store.listChanges(stream.number, AT_ONCE);
      stream.number = changes.at(-1)?.number ?? last;
      send(stream, 'changes', latestOfEach(changes));
    } else if (now() - stream.toldAt >= HEARTBEAT_MS) {
      stream.toldAt = now();
      response.write(': still here\n\n');
    }
  }

  function reset(stream: Stream, last: number): void {
    stream.number = last;
    send(stream, 'reset', {});
  }

  function send(stream: Stream, event: string, data: unknown): void {
    stream.toldAt = now();
    stream.response.write(`id: ${stream.number}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  }

  return {
    count: () => streams.size,
    /** @throws Problem if this key has too many streams. */
    add(response: ServerResponse, { keyId, lastEventId }: { keyId: string; lastEventId: string }): void {
      const own = [...streams].filter((stream) => stream.keyId === keyId).length;
      if (own >= MOST_PER_KEY)
        throw new Problem(429, `At most ${MOST_PER_KEY} streams for one key. Close another page.`);
      const { first, last } = openCall().store.getChangeRange();
      response.writeHead(200, {
        ...SECURITY_HEADERS,
        ...NO_STORE,
        'content-type': 'text/event-stream; charset=utf-8',
      });
      response.write(`retry: ${RETRY_MS}\n\n`);
      const { secret } = readAccess(paths);
      const stream: Stream = { response, keyId, secret, number: last, toldAt: now() };
      const since = lastEventId === '' ? last : Number(lastEventId);
      if (since >= first - 1 && since <= last) {
        stream.number = since;
        send(stream, 'ready', {});
      } else reset(stream, last);
      streams.add(stream);
      timer ??= setInterval(look, LOOK_MS);
      response.on('close', () => {
        streams.delete(stream);
        onStreamEnd();
        if (streams.size > 0) return;
        clearInterval(timer);
        timer = undefined;
      });
    },
    close(): void {
      clearInterval(timer);
      for (const { response } of streams) response.end();
    },
  };
}

/** Keeps the last change of each item: a turn changes with every call in it. */
function latestOfEach(changes: Change[]): Change[] {
  const latest = new Map<string, Change>();
  for (const change of changes) {
    const key = `${change.what} ${change.id}`;
    const before = latest.get(key);
    latest.delete(key);
    // For a page that does not know the item yet, it is still new.
    const how = before?.how === 'added' && change.how === 'changed' ? 'added' : change.how;
    latest.set(key, { ...change, how });
  }
  return [...latest.values()];
}
