import { forgetKey, readKey } from './key.ts';
import { createStreamReader, type StreamMessage } from './stream-reader.ts';
import { probeWorker, setWorkerState, whenReachable } from './worker-state.ts';

/** A change of a stored item. `store`: everything may have changed. */
export interface Change {
  what: 'memory' | 'session' | 'turn' | 'job' | 'work-item' | 'context' | 'store';
  id: number;
  how: 'added' | 'changed' | 'removed';
}

type Listener = (changes: Change[]) => void;

const RETRY_MS = 2_000;
/** The worker sends at least a heartbeat every two seconds. */
const SILENCE_MS = 5_000;
const LOOK_MS = 1_000;
const listeners = new Set<Listener>();
const channel = new BroadcastChannel('cairn');
/** The last message received by any tab, from which the stream continues. */
let lastId = '';

/** @returns a function that removes the listener. */
export function onChanges(listener: Listener): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

/** One tab reads the stream for all tabs: a browser allows only six connections to one origin. */
export function startLive(): void {
  channel.onmessage = ({ data }: MessageEvent<StreamMessage>) => deliver(data);
  void navigator.locks.request('cairn-stream', async () => {
    for (;;) {
      await whenReachable();
      if (readKey() !== null) {
        await readStream().catch(() => {});
        // The stream ended, broke off or fell silent; probing tells all tabs why.
        await probeWorker();
      }
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  });
}

/** Reads until the stream ends or is silent for too long. */
async function readStream(): Promise<void> {
  const stop = new AbortController();
  let heardAt = Date.now();
  const watch = setInterval(() => {
    if (Date.now() - heardAt > SILENCE_MS) stop.abort();
  }, LOOK_MS);
  try {
    const headers: Record<string, string> = { authorization: `Bearer ${readKey()}` };
    if (lastId !== '') headers['last-event-id'] = lastId;
    const response = await fetch('/api/stream', { headers, signal: stop.signal });
    if (response.status === 401) forgetKey((await response.json()).detail);
    if (!response.ok || !response.body) return;
    setWorkerState('running');
    const read = createStreamReader((message) => {
      channel.postMessage(message);
      deliver(message);
    });
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      heardAt = Date.now();
      read(value);
    }
  } finally {
    clearInterval(watch);
  }
}

function deliver({ id, event, data }: StreamMessage): void {
  if (id !== '') lastId = id;
  const changes: Change[] =
    event === 'changes'
      ? JSON.parse(data)
      : event === 'reset'
        ? [{ what: 'store', id: 0, how: 'changed' }]
        : [];
  if (changes.length === 0) return;
  for (const listener of listeners) listener(changes);
}
