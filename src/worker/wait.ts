import { type FSWatcher, watch } from 'node:fs';

/** Sleeps until something happens: a file appears in a watched folder, somebody calls, or the time is up. */
export function createWaiting(folders: string[]) {
  let wake: (() => void) | undefined;
  let isCalled = false;

  function call(): void {
    isCalled = true;
    wake?.();
  }

  const watchers = folders.flatMap((folder) => startWatching(folder, call));

  async function wait(ms: number): Promise<void> {
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

  return {
    wait,
    call,
    /** Without it a folder is only looked at when a timer ends. */
    isWatching: watchers.length === folders.length,
    close: () => {
      for (const watcher of watchers) watcher.close();
    },
  };
}

function startWatching(folder: string, call: () => void): FSWatcher[] {
  try {
    const watcher = watch(folder, { persistent: false }, call);
    watcher.on('error', () => watcher.close());
    return [watcher];
  } catch {
    // Some file systems cannot be watched.
    return [];
  }
}
