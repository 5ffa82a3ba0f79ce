import type { Call } from '../support/command.ts';
import { createProgressLine, type Progress } from '../support/progress.ts';

export interface ProgressScreen {
  /** Ctrl-C was pressed. */
  stop: AbortSignal;
  show(progress: Progress): void;
}

/** Long work that shows how far it is, and can be stopped. */
export async function withProgress<T>(
  { now }: Call,
  unit: string,
  work: (watched: ProgressScreen) => Promise<T>,
): Promise<T> {
  const stop = new AbortController();
  const onStop = () => stop.abort();
  process.on('SIGINT', onStop).on('SIGTERM', onStop);
  const line = createProgressLine(
    {
      isTerminal: process.stderr.isTTY === true,
      width: process.stderr.columns ?? 80,
      write: (text) => process.stderr.write(text),
      now,
    },
    unit,
  );
  try {
    return await work({ stop: stop.signal, show: line.show });
  } finally {
    line.clear();
    process.off('SIGINT', onStop).off('SIGTERM', onStop);
  }
}
