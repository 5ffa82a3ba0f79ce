import { computed, signal } from '@preact/signals';

/**
 * `stopped`: nothing listens at its address. `silent`: it accepts connections but does not answer, like a suspended or
 * overloaded process. `foreign`: another program has taken the port.
 */
type WorkerState = 'running' | 'stopped' | 'silent' | 'foreign';

/** The problem, and the command that fixes it. */
const TROUBLES: Record<Exclude<WorkerState, 'running'>, { text: string; command: string }> = {
  stopped: { text: 'Worker stopped. Start it:', command: 'cairn open' },
  silent: {
    text: 'The worker is not responding. This page continues when it does. Check it:',
    command: 'cairn worker status',
  },
  foreign: {
    text: 'Another program answers at this address. Open the viewer again:',
    command: 'cairn open',
  },
};

/** How long `/health` may take, which needs neither the database nor the API. */
const PATIENCE_MS = 2_000;

const state = signal<WorkerState>('running');
const channel = new BroadcastChannel('cairn-worker');
channel.onmessage = ({ data }: MessageEvent<WorkerState>) => {
  state.value = data;
};

export const isReachable = computed(() => state.value === 'running');
/** Null while the worker answers. */
export const workerTrouble = computed(() => (state.value === 'running' ? null : TROUBLES[state.value]));

/** Shares the state with the other tabs. */
export function setWorkerState(found: WorkerState): void {
  if (state.value === found) return;
  state.value = found;
  channel.postMessage(found);
}

/** Sends no key: the port may belong to another program by now. */
export async function probeWorker(): Promise<void> {
  try {
    const response = await fetch('/health', { signal: AbortSignal.timeout(PATIENCE_MS) });
    const { ok } = JSON.parse(await response.text());
    setWorkerState(ok === true ? 'running' : 'foreign');
  } catch (error) {
    setWorkerState(nameState(error));
  }
}

function nameState(error: unknown): WorkerState {
  if (error instanceof SyntaxError) return 'foreign';
  return error instanceof DOMException && error.name === 'TimeoutError' ? 'silent' : 'stopped';
}

/** Resolves at once while the worker answers. */
export function whenReachable(): Promise<void> {
  return new Promise((resolve) => {
    const stop = isReachable.subscribe((isBack) => {
      if (!isBack) return;
      resolve();
      // The callback may run before `stop` is assigned.
      queueMicrotask(() => stop());
    });
  });
}
