import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';

/** A program in a terminal of its own. */
export interface Terminal {
  /** Types the text without Enter. */
  write(text: string): Promise<void>;
  /** Presses one key, by tmux's name for it: `Enter`, `Escape`, `C-c` … */
  press(key: string): Promise<void>;
  /** What the terminal shows, with what has scrolled away. */
  text(): Promise<string>;
  /** Waits until the terminal shows it and returns the whole text. */
  shows(expected: string | RegExp): Promise<string>;
  resize(columns: number, rows: number): Promise<void>;
  /** Ends the program at once: it cannot do anything about it. */
  kill(): Promise<void>;
  /** Ends the terminal and, if it still runs, the program in it. */
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

/** The last line after the program's own. */
export const ENDED = 'PROGRAM-ENDED';

const run = promisify(execFile);
const LONGEST_WAIT_MS = 30_000;

/** Starts a program in tmux, on a server that nobody else uses. */
export async function openTerminal(program: string[], options: TerminalOptions): Promise<Terminal> {
  const { cwd, root, columns = 140, rows = 45 } = options;
  const env = { ...options.env, TMUX_TMPDIR: root };
  const server = `cairn-${randomUUID().slice(0, 8)}`;
  const tmux = async (...command: string[]) =>
    (await run('tmux', ['-L', server, '-f', '/dev/null', ...command], { cwd, env })).stdout;

  const pidFile = join(await mkdtemp(join(root, 'terminal-')), 'pid');
  const start = ['sh', '-c', 'echo $$ > "$0"; exec "$@"', pidFile, ...program];
  // The terminal stays open after the program, so that its last words can be read.
  const line = `${start.map(quoted).join(' ')}; echo ${ENDED} $?; exec sleep 600`;
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
      // Without its terminal the program ends by itself, but goes on writing into the world until it has.
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

/** False when there is no such process. */
function signal(pid: number, name: 0 | 'SIGKILL'): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
