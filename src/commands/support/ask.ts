import { createInterface } from 'node:readline/promises';
import { type Call, CommandError } from './command.ts';
import { toTerminal } from './paint.ts';

export type Ask = (question: string) => Promise<boolean>;

/** Asks the person in front of the terminal; a plain Enter agrees, Ctrl-C and the end of input do not. */
export const askOnTerminal: Ask = async (question) =>
  process.stdin.isTTY ? /^(?:y|yes)?$/i.test(await readAnswer(`${question} [Y/n] `)) : true;

/**
 * For what cannot be taken back: only `--yes` or a typed "y" agrees, and without a terminal only `--yes`.
 * @returns false when the person said no.
 */
export async function confirmLoss({ options, out }: Call, question: string): Promise<boolean> {
  if (options.yes) return true;
  if (options.json || !process.stdin.isTTY)
    throw new CommandError(`${question} Nothing was changed. To confirm without being asked, add --yes.`);
  if (/^(?:y|yes)$/i.test(await readAnswer(`${question} [y/N] `))) return true;
  out('Nothing was changed.');
  return false;
}

async function readAnswer(question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const closed = new Promise<string>((resolve) => lines.once('close', () => resolve('n')));
  try {
    return (await Promise.race([lines.question(toTerminal(question)), closed])).trim();
  } finally {
    lines.close();
  }
}

/** For what can be taken back: only a person on a terminal is asked, and only without --yes. */
export async function isAgreed(call: Call, ask: Ask, question: string): Promise<boolean> {
  if (!call.isTerminal || call.options.yes || call.options.json) return true;
  if (await ask(question)) return true;
  call.out('Nothing was changed.');
  return false;
}
