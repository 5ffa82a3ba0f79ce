import { createInterface } from 'node:readline/promises';
import type { Call } from './command.ts';
import { toTerminal } from './paint.ts';

export type Ask = (question: string) => Promise<boolean>;

/** Asks the person in front of the terminal; a plain Enter agrees, Ctrl-C and the end of input do not. */
export const askOnTerminal: Ask = async (question) => {
  if (!process.stdin.isTTY) return true;
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const closed = new Promise<string>((resolve) => lines.once('close', () => resolve('n')));
  try {
    const answer = await Promise.race([lines.question(toTerminal(`${question} [Y/n] `)), closed]);
    return /^(?:y|yes)?$/i.test(answer.trim());
  } finally {
    lines.close();
  }
};

/** Only a person is asked, and only without --yes: a script that says it means it. */
export function isAsked({ isTerminal, options }: Call): boolean {
  return isTerminal && !options.yes && !options.json;
}

export async function isAgreed(call: Call, ask: Ask, question: string): Promise<boolean> {
  if (!isAsked(call)) return true;
  if (await ask(question)) return true;
  call.out('Nothing was changed.');
  return false;
}
