import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { JsonObject } from '../../src/model/json.ts';
import { ALLOW_USUAL_TOOLS } from './claude-code.ts';
import { type ModelRequest, type ModelScript, startScriptedModel } from './scripted-model.ts';
import type { World } from './world.ts';

export interface ScreenOptions {
  script: ModelScript;
  args?: string[];
  settings?: JsonObject;
}

/** The interactive client in a terminal of its own. */
export interface ClientScreen {
  /** Types the text and presses Enter. */
  type(text: string): Promise<void>;
  /** Presses one key, by tmux's name for it: `Escape`, `C-c` … */
  press(key: string): Promise<void>;
  /** What the terminal shows, with what has scrolled away. */
  text(): Promise<string>;
  /** Waits until the terminal shows it and returns the whole text. */
  shows(expected: string | RegExp): Promise<string>;
  requests(): ModelRequest[];
  debugLog(): Promise<string>;
  /** Ends the terminal and, if it still runs, the client in it. */
  close(): Promise<void>;
}

const run = promisify(execFile);

const LONGEST_WAIT_MS = 30_000;

/** Starts the interactive client in tmux, on a server that nobody else uses. */
export async function openScreen(world: World, options: ScreenOptions): Promise<ClientScreen> {
  const { script, args = [], settings = ALLOW_USUAL_TOOLS } = options;
  const papers = await mkdtemp(join(world.root, 'screen-'));
  const debugFile = join(papers, 'debug.log');
  const settingsFile = join(papers, 'settings.json');
  await writeFile(settingsFile, JSON.stringify(settings));

  const model = await startScriptedModel(script);
  const env = { ...world.env, ANTHROPIC_BASE_URL: model.url, TMUX_TMPDIR: world.root };
  const server = `cairn-${randomUUID().slice(0, 8)}`;
  const tmux = async (...command: string[]) =>
    (await run('tmux', ['-L', server, '-f', '/dev/null', ...command], { cwd: world.project, env })).stdout;

  // The mode the client would start in asks a server whether a call is safe.
  const files = ['--debug-file', debugFile, '--settings', settingsFile];
  const client = [world.client, '--permission-mode', 'default', ...files, ...args];
  const pidFile = join(papers, 'pid');
  const start = ['sh', '-c', 'echo $$ > "$0"; exec "$@"', pidFile, ...client];
  // The terminal stays open after the client, so that its last words can be read.
  const line = `${start.map(quoted).join(' ')}; echo CLIENT-ENDED; exec sleep 600`;
  await tmux('new-session', '-d', '-x', '140', '-y', '45', line).catch(async (error) => {
    await model.close();
    throw error;
  });

  const text = () => tmux('capture-pane', '-p', '-S', '-');
  return {
    type: async (words) => {
      await tmux('send-keys', '-l', words);
      // In one stroke with the text the client takes Enter for a pasted line break.
      await pause(200);
      await tmux('send-keys', 'Enter');
    },
    press: async (key) => void (await tmux('send-keys', key)),
    text,
    shows: (expected) => waitFor(text, expected),
    requests: model.requests,
    debugLog: () => readFile(debugFile, 'utf8').catch(() => ''),
    close: async () => {
      await tmux('kill-server').catch(() => '');
      // Without its terminal the client ends by itself, but goes on writing into the world until it has.
      await waitForEnd(Number(await readFile(pidFile, 'utf8').catch(() => '')));
      await model.close();
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
  throw new Error(`the client never showed ${expected}; it shows:\n${await read()}`);
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
