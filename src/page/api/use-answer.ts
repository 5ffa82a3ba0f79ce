import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { CallError } from './call.ts';
import { type Change, onChanges } from './live.ts';
import { isReachable } from './worker-state.ts';

export interface Loaded<T> {
  data: T | null;
  error: CallError | null;
  /** True after 150 ms; shorter waits show nothing. */
  isSlow: boolean;
  reload(): void;
}

const PATIENCE_MS = 150;
/** Changes come in bursts, so reloading waits this long. */
const SETTLE_MS = 120;
/** Earlier answers, shown at once when a person returns to a page. */
const remembered = new Map<string, unknown>();
const MOST_REMEMBERED = 60;

/**
 * Loads an answer, and reloads it on every change for which `isAffected` returns true. `key` identifies the answer: one
 * for an earlier key is never shown.
 */
export function useAnswer<T>(
  key: string,
  load: (signal: AbortSignal) => Promise<T>,
  isAffected: (change: Change) => boolean = () => false,
): Loaded<T> {
  const [state, setState] = useState<{ key: string; data: T | null; error: CallError | null }>({
    ...{ key, data: (remembered.get(key) as T) ?? null, error: null },
  });
  const [isSlow, setSlow] = useState(false);
  const [round, setRound] = useState(0);
  const latest = useRef({ load, isAffected });
  latest.current = { load, isAffected };
  const reload = useCallback(() => setRound((count) => count + 1), []);

  useEffect(() => {
    const stop = new AbortController();
    const timer = setTimeout(() => setSlow(true), PATIENCE_MS);
    latest.current
      .load(stop.signal)
      .then((data) => {
        remember(key, data);
        setState({ key, data, error: null });
      })
      .catch((error: unknown) => {
        if (stop.signal.aborted) return;
        const known = error instanceof CallError ? error : toCallError(error);
        setState((before) => ({ key, data: before.key === key ? before.data : null, error: known }));
      })
      .finally(() => {
        clearTimeout(timer);
        if (!stop.signal.aborted) setSlow(false);
      });
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [key, round]);

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stopListening = onChanges((changes) => {
      if (!changes.some((change) => change.what === 'store' || latest.current.isAffected(change))) return;
      clearTimeout(timer);
      timer = setTimeout(reload, SETTLE_MS);
    });
    return () => {
      clearTimeout(timer);
      stopListening();
    };
  }, [reload]);

  // Requests that failed because the worker was unreachable are repeated when it is back.
  const failed = state.error?.status === 0;
  useEffect(
    () => (failed ? isReachable.subscribe((isBack) => isBack && reload()) : undefined),
    [failed, reload],
  );

  const current = state.key === key;
  return {
    data: current ? state.data : ((remembered.get(key) as T) ?? null),
    error: current ? state.error : null,
    ...{ isSlow, reload },
  };
}

function remember(key: string, data: unknown): void {
  remembered.delete(key);
  remembered.set(key, data);
  for (const oldest of remembered.keys()) {
    if (remembered.size <= MOST_REMEMBERED) break;
    remembered.delete(oldest);
  }
}

function toCallError(error: unknown): CallError {
  const detail = error instanceof Error ? error.message : String(error);
  return new CallError({ status: 500, title: 'The page failed', detail, request: '' });
}
