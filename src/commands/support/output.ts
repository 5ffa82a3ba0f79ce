import { toTerminal } from './paint.ts';

/** Prints a line. All output of commands goes through this file, which scripts/check-architecture.mjs checks. */
export function printLine(stream: 'stdout' | 'stderr', text: string): void {
  const line = `${toTerminal(text)}\n`;
  if (stream === 'stdout') process.stdout.write(line);
  else process.stderr.write(line);
}

/** Undefined without a terminal, or if the terminal does not report its width. */
export function terminalColumns(): number | undefined {
  return process.stdout.isTTY ? process.stdout.columns || undefined : undefined;
}

/** Writes text without a line break. Waits for a slow reader, because an export may be larger than memory. */
export function writeOut(text: string): Promise<void> {
  return new Promise((resolve) => {
    process.stdout.write(toTerminal(text), () => resolve());
  });
}

/** In an agent's shell a model reads the output, so stored text must not contain the agent's control tags. */
export async function textFilter(isForModel: boolean): Promise<(text: string) => string> {
  return isForModel ? (await import('../../framing/neutralize.ts')).neutralize : (text) => text;
}
