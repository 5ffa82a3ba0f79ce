import { createInterface } from 'node:readline/promises';
import { type Call, CommandError } from './command.ts';
import { toTerminal } from './paint.ts';

/** `byDefault`: the answer to Enter, and without a terminal. Defaults to yes. */
export type Ask = (question: string, byDefault?: boolean) => Promise<boolean>;

/** Asks on the terminal. Ctrl-C and the end of input mean no. */
export const askOnTerminal: Ask = async (question, byDefault = true) => {
  if (!process.stdin.isTTY) return byDefault;
  const answer = await readAnswer(`${question} ${byDefault ? '[Y/n]' : '[y/N]'} `);
  return answer === '' ? byDefault : /^(?:y|yes)$/i.test(answer);
};

/**
 * For irreversible changes: only `--yes` or a typed "y" confirms, and without a terminal only `--yes`.
 * @returns false if the person said no.
 */
export async function confirmLoss({ options, out }: Call, question: string): Promise<boolean> {
  if (options.yes) return true;
  if (options.json || !process.stdin.isTTY)
    throw new CommandError(`${question} Nothing was changed. To confirm without being asked, add --yes.`);
  if (/^(?:y|yes)$/i.test(await readAnswer(`${question} [y/N] `))) return true;
  out('Nothing was changed.');
  return false;
}

/** The end of input counts as "n". */
export async function readAnswer(question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const closed = new Promise<string>((resolve) => lines.once('close', () => resolve('n')));
  try {
    return (await Promise.race([lines.question(toTerminal(question)), closed])).trim();
  } finally {
    lines.close();
  }
}

/** Reads what a person types or pastes, without echo. Ctrl-C and the end of input give an empty text. */
export function readHidden(question: string): Promise<string> {
  process.stderr.write(toTerminal(question));
  process.stdin.setRawMode(true);
  process.stdin.resume();
  process.stdin.setEncoding('utf8');
  return new Promise((resolve) => {
    let typed = '';
    const end = (answer: string) => {
      process.stdin.off('data', read);
      process.stdin.setRawMode(false);
      process.stdin.pause();
      process.stderr.write('\n');
      resolve(answer);
    };
    function read(chunk: string): void {
      for (const key of chunk) {
        const isDone = key === '\r' || key === '\n';
        if (isDone || key === '\u0003' || key === '\u0004') {
          end(isDone ? typed : '');
          return;
        }
        typed = key === '\u007f' || key === '\b' ? typed.slice(0, -1) : typed + key;
      }
    }
    process.stdin.on('data', read);
  });
}

/** Questions need a terminal, and neither --yes nor --json. */
export function canAsk({ isTerminal, options }: Call): boolean {
  return isTerminal && !options.yes && !options.json;
}

/** For changes that can be undone. */
export async function confirmChange(call: Call, ask: Ask, question: string): Promise<boolean> {
  if (!canAsk(call)) return true;
  if (await ask(question)) return true;
  call.out('Nothing was changed.');
  return false;
}
