import { readFileSync } from 'node:fs';
import { describeFileError } from '../../platform/file-error.ts';
import { readHidden } from './ask.ts';
import { CommandError, UsageError } from './command.ts';
import { readStdin } from './read-stdin.ts';

/**
 * Reads a secret from a file, from stdin (`-`), or from a person who types it without echo. A secret is never an
 * argument: other users can see those, and the shell's history keeps them.
 */
export async function readSecret(
  source: string | undefined,
  { what, form }: { what: string; form: RegExp },
): Promise<string> {
  if (source !== undefined && form.test(source))
    throw new UsageError(
      `The ${what} is a secret and must not be an argument: other users of this machine see it, and your shell keeps it. Leave it out to be asked, or give a file, or - for stdin.`,
    );
  const text =
    source === undefined ? await ask(what) : source === '-' ? String(await readStdin()) : readFile(source);
  const secret = text.trim();
  if (secret === '') throw new CommandError(`The ${what} is empty.`);
  return secret;
}

async function ask(what: string): Promise<string> {
  if (!process.stdin.isTTY)
    throw new UsageError(`Missing ${what}. Give a file with it, or - to read it from stdin.`);
  return readHidden(`${what[0]?.toUpperCase()}${what.slice(1)} (not shown): `);
}

function readFile(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new CommandError(describeFileError(error) ?? `${path} cannot be read.`);
  }
}
