import type { Turn } from './model-message.ts';

/** A turn of the model that only runs a command. */
export function bash(command: string): Turn {
  return [{ tool: 'Bash', input: { command } }];
}

/** A shell loop that waits until a command succeeds, and tries it ten times a second. */
export function waitFor(command: string, { tries }: { tries: number }): string {
  return `i=0; until ${command} || [ $i -ge ${tries} ]; do sleep 0.1; i=$((i+1)); done`;
}
