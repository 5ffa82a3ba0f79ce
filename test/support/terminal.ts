import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';

/** A program in its own terminal. */
export interface Terminal {
  /** Types the text without Enter. */
  write(text: string): Promise<void>;
  /** Presses one key, by tmux's name for it: `Enter`, `Escape`, `C-c` … */
  press(key: string): Promise<void>;
  /** The screen, with the lines that have scrolled away. */
  text(): Promise<string>;
  /** Waits until the terminal shows the expected text. @returns the whole text. */
  shows(expected: string | RegExp): Promise<string>;
  resize(columns: number, rows: number): Promise<void>;
  /** Kills the program, which cannot catch the signal. */
  kill(): Promise<void>;
  /** Closes the terminal and ends the program in it if it still runs. */
  close(): Promise<void>;
}

export interface TerminalOptions {
  cwd: string;
  env: Record<string, string>;
  /** A folder that is removed after the test. */
  root: string;
  columns?: number;
  rows?: number;
}

/** The last line, printed after the program has ended. */
export const ENDED = 'PROGRAM-ENDED';

const run = promisify(execFile);
const LONGEST_WAIT_MS = 30_000;

/** Starts a program in tmux, on a separate server. */
export async function openTerminal(program: string[], options: TerminalOptions): Promise<Terminal> {
  const { cwd, root, columns = 140, rows = 45 } = options;
  const env = { ...options.env, TMUX_TMPDIR: root };
  const server = `cairn-${randomUUID().slice(0, 8)}`;
  const tmux = async (...command: string[]) =>
    (await run('tmux', ['-L', server, '-f', '/dev/null', ...command], { cwd, env })).stdout;

  const pidFile = join(await mkdtemp(join(root, 'terminal-')), 'pid');
  const start = ['sh', '-c', 'echo $$ > "$0"; exec "$@"', pidFile, ...program];
  // The terminal stays open after the program: tests read its last lines.
  const line = `${start.map(quote).join(' ')}; echo ${ENDED} $?; exec sleep 600`;
  await tmux('new-session', '-d', '-x', String(columns), '-y', String(rows), line);

  const text = () => tmux('capture-pane', '-p', '-S', '-');
  return {
    write: async (words) => void (await tmux('send-keys', '-l', words)),
    press: async (key) => void (await tmux('send-keys', key)),
    text,
    shows: (expected) => waitFor(text, expected),
    resize: async (width, height) =>
      void (await tmux('resize-window', '-x', String(width), '-y', String(height))),
    kill: async () => {
      const pid = Number(await readFile(pidFile, 'utf8'));
      signal(pid, 'SIGKILL');
      await waitForEnd(pid);
    },
    close: async () => {
      await tmux('kill-server').catch(() => '');
      // Without its terminal the program exits by itself, but may write to the world until then.
      await waitForEnd(Number(await readFile(pidFile, 'utf8').catch(() => '')));
    },
  };
}

async function waitFor(read: () => Promise<string>, expected: string | RegExp): Promise<string> {
  const giveUpAt = Date.now() + LONGEST_WAIT_MS;
  while (Date.now() < giveUpAt) {
    const text = await read();
    if (typeof expected === 'string' ? text.includes(expected) : expected.test(text)) return text;
    await pause(100);
  }
  throw new Error(`the terminal never showed ${expected}; it shows:\n${await read()}`);
}

async function waitForEnd(pid: number): Promise<void> {
  const insistAt = Date.now() + 5_000;
  while (pid > 0 && signal(pid, 0)) {
    if (Date.now() > insistAt) {
      signal(pid, 'SIGKILL');
      return;
    }
    await pause(50);
  }
}

/** False if there is no such process. */
function signal(pid: number, name: 0 | 'SIGKILL'): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}

function quote(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
