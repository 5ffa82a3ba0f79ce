import { closeSync, existsSync, openSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { makePrivateFolder, PRIVATE_FILE } from '../../platform/files.ts';
import { removeOldFiles } from '../../platform/old-files.ts';

export interface CachedOutputRequest {
  /** A shell command; a function is called only if the command runs. */
  command: string | (() => Line);
  folder: string;
  input?: Buffer;
  kept: string;
  /** Younger output is returned without running the command. */
  freshMs?: number;
  waitMs: number;
}

interface Line {
  command: string;
  env?: Record<string, string>;
}

/** A command that has not answered after this time is started again. */
const GIVEN_UP_MS = 3_000;
const OLD_MS = 7 * 86_400_000;

/**
 * The output of another program's command, if it finishes in time. A late command continues, and the next call
 * returns its output; until then the last output counts. Only one process of a command runs at a time.
 */
export async function readCachedOutput(wanted: CachedOutputRequest, now = Date.now()): Promise<string> {
  const { kept, freshMs = 0, waitMs } = wanted;
  if (age(kept, now) < freshMs || waitMs <= 0) return read(kept);
  const underway = `${kept}.underway`;
  if (age(underway, now) < GIVEN_UP_MS) return read(kept);
  const draft = `${kept}.${process.pid}`;
  let line: Line;
  try {
    line = typeof wanted.command === 'string' ? { command: wanted.command } : wanted.command();
  } catch {
    return read(kept);
  }
  try {
    prepare(kept, now);
    writeFileSync(underway, '', { mode: PRIVATE_FILE });
    closeSync(openSync(draft, 'w', PRIVATE_FILE));
  } catch {
    // Without a home there is no cache.
    return waitForOutput(wanted, line);
  }
  await finished(wanted, line, { draft, underway });
  return read(kept);
}

/** A failed command counts as empty output. */
const RUN = 'sh -c "$1" >"$2" 2>/dev/null || : >"$2"; mv -f "$2" "$3"; rm -f "$4"';

function finished(
  { folder, input, kept, waitMs }: CachedOutputRequest,
  line: Line,
  { draft, underway }: { draft: string; underway: string },
): Promise<void> {
  const { spawn } = process.getBuiltinModule('node:child_process');
  return new Promise((resolve) => {
    const limit = setTimeout(resolve, waitMs);
    // Runs in our process group and terminal, as if the agent had started it.
    const child = spawn('/bin/sh', ['-c', RUN, 'sh', line.command, draft, kept, underway], {
      cwd: existsSync(folder) ? folder : '/',
      ...(line.env && { env: line.env }),
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    const end = () => {
      clearTimeout(limit);
      resolve();
    };
    child.once('error', () => {
      for (const file of [draft, underway]) rmSync(file, { force: true });
      end();
    });
    child.once('exit', end);
    // The command may exit without reading its input.
    child.stdin.on('error', () => {});
    child.stdin.end(input);
    child.unref();
  });
}

function waitForOutput({ folder, input, waitMs }: CachedOutputRequest, line: Line): string {
  const { spawnSync } = process.getBuiltinModule('node:child_process');
  const options = { cwd: existsSync(folder) ? folder : '/', timeout: waitMs, encoding: 'utf8' as const };
  const { status, stdout } = spawnSync('/bin/sh', ['-c', line.command], {
    ...options,
    ...(line.env && { env: line.env }),
    ...(input && { input }),
  });
  return status === 0 ? stdout : '';
}

function prepare(kept: string, now: number): void {
  const folder = dirname(kept);
  // Does not create a removed home again.
  if (!existsSync(dirname(folder))) throw new Error(`There is no ${basename(dirname(folder))}.`);
  if (existsSync(kept)) return;
  makePrivateFolder(folder);
  removeOldFiles(folder, now - OLD_MS);
}

function age(file: string, now: number): number {
  const writtenAt = statSync(file, { throwIfNoEntry: false })?.mtimeMs;
  return writtenAt === undefined ? Number.POSITIVE_INFINITY : Math.abs(now - writtenAt);
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
