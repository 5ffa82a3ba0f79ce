import { type FSWatcher, watch } from 'node:fs';

/** Whether a changed file in a watched folder should wake the worker. */
export type WatchedFolder = { folder: string; isRelevant: (name: string) => boolean };

/** Sleeps until a watched file appears, wake() is called, or the time is up. */
export function createSleeper(watched: WatchedFolder[]) {
  let wake: (() => void) | undefined;
  let isCalled = false;

  function call(): void {
    isCalled = true;
    wake?.();
  }

  const watchers = watched.flatMap((folder) => startWatching(folder, call));

  async function wait(ms: number): Promise<void> {
    // Lets signals and watchers run, even without sleeping.
    await new Promise((resolve) => setImmediate(resolve));
    if (!isCalled)
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    wake = undefined;
    isCalled = false;
  }

  function close(): void {
    for (const watcher of watchers) watcher.close();
  }

  /** False if only timers wake the worker. */
  const canWatch = watchers.length === watched.length;
  return { wait, call, close, canWatch };
}

function startWatching({ folder, isRelevant }: WatchedFolder, call: () => void): FSWatcher[] {
  try {
    const watcher = watch(folder, { persistent: false }, (_, name) => {
      if (name === null || isRelevant(name)) call();
    });
    watcher.on('error', () => watcher.close());
    return [watcher];
  } catch {
    // Some file systems cannot be watched; then only timers wake the worker.
    return [];
  }
}
