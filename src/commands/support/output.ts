import { toTerminal } from './paint.ts';

/** A line to stdout or stderr. All that commands print goes through this file: scripts/check-architecture.mjs. */
export function printLine(stream: 'stdout' | 'stderr', text: string): void {
  const line = `${toTerminal(text)}\n`;
  if (stream === 'stdout') process.stdout.write(line);
  else process.stderr.write(line);
}

/** Undefined without a terminal, and if the terminal does not know its width. */
export function terminalColumns(): number | undefined {
  return process.stdout.isTTY ? process.stdout.columns || undefined : undefined;
}

/** Writes text without adding a line break. Waits for a slow reader: an export may be larger than memory. */
export function writeOut(text: string): Promise<void> {
  return new Promise((resolve) => {
    process.stdout.write(toTerminal(text), () => resolve());
  });
}

/** In an agent's shell a model reads the output: stored text must not contain the agent's control tags. */
export async function textFilter(isForModel: boolean): Promise<(text: string) => string> {
  return isForModel ? (await import('../../framing/neutralize.ts')).neutralize : (text) => text;
}
