import type { Call } from '../support/command.ts';
import { createProgressLine, type Progress } from '../support/progress.ts';

export interface ProgressControl {
  stop: AbortSignal;
  show(progress: Progress): void;
}

/** Runs a long task with a progress display; Ctrl-C stops it. */
export async function withProgress<T>(
  { now, options }: Call,
  unit: string,
  work: (control: ProgressControl) => Promise<T>,
): Promise<T> {
  const stop = new AbortController();
  const onStop = () => stop.abort();
  process.on('SIGINT', onStop).on('SIGTERM', onStop);
  const line = createProgressLine(
    {
      isTerminal: process.stderr.isTTY === true,
      isJson: options.json === true,
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
