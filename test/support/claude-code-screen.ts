import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { JsonObject } from '../../src/model/json.ts';
import { ALLOW_USUAL_TOOLS } from './claude-code.ts';
import { type ModelRequest, type ModelScript, startScriptedModel } from './scripted-model.ts';
import { openTerminal, type Terminal } from './terminal.ts';
import type { World } from './world.ts';

export interface ScreenOptions {
  script: ModelScript;
  args?: string[];
  settings?: JsonObject;
  columns?: number;
  rows?: number;
}

const LONGEST_TYPING_MS = 5_000;

/** The interactive client in its own terminal. */
export interface ClientScreen extends Pick<Terminal, 'press' | 'text' | 'shows' | 'kill' | 'close'> {
  /** Types the text and presses Enter. */
  type(text: string): Promise<void>;
  requests(): ModelRequest[];
  debugLog(): Promise<string>;
}

/** Starts the interactive client against a scripted model. */
export async function openScreen(world: World, options: ScreenOptions): Promise<ClientScreen> {
  const { script, args = [], settings = ALLOW_USUAL_TOOLS, ...size } = options;
  const folder = await mkdtemp(join(world.root, 'screen-'));
  const debugFile = join(folder, 'debug.log');
  const settingsFile = join(folder, 'settings.json');
  await writeFile(settingsFile, JSON.stringify(settings));

  const model = await startScriptedModel(script);
  const env = { ...world.env, ANTHROPIC_BASE_URL: model.url };
  // Without --permission-mode the client asks a server whether a call is safe.
  const files = ['--debug-file', debugFile, '--settings', settingsFile];
  const client = [world.client, '--permission-mode', 'default', ...files, ...args];
  const terminal = await openTerminal(client, {
    cwd: world.project,
    env,
    root: world.root,
    ...size,
  }).catch(async (error) => {
    await model.close();
    throw error;
  });
  return {
    ...terminal,
    type: async (words) => {
      await terminal.write(words);
      await isTyped(terminal, words);
      // Sent together with the text, Enter would count as a pasted line break.
      await pause(200);
      await terminal.press('Enter');
    },
    requests: model.requests,
    debugLog: () => readFile(debugFile, 'utf8').catch(() => ''),
    close: async () => {
      await terminal.close();
      await model.close();
    },
  };
}

/** A busy machine shows the text late, and an Enter before that is lost. */
async function isTyped(terminal: Terminal, words: string): Promise<void> {
  const bare = (text: string) => text.replace(/[\s│|]/g, '');
  const end = bare(words).slice(-12);
  for (let waited = 0; waited < LONGEST_TYPING_MS; waited += 100) {
    if (bare(await terminal.text()).includes(end)) return;
    await pause(100);
  }
}
