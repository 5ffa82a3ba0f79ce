import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JsonObject } from '../../src/model/json.ts';
import { callsOf, showSession, untilDistilled } from '../support/agent-sessions.ts';
import { installNode, installPackage } from '../support/install-client.ts';
import { openAiChat } from '../support/openai-chat.ts';
import { type Step, startStepModel } from '../support/step-model.ts';
import { cairn, makeWorld, type ProgramRun, runIn, type World } from '../support/world.ts';

/** The real Qwen Code against a scripted model. */

const VERSION = '0.24.4';
const SETTINGS = `{
  // mine
  "security": { "auth": { "selectedType": "openai" } },
  "privacy": { "usageStatisticsEnabled": false },
  "general": { "enableAutoUpdate": false },
  "$version": 4
}
`;

async function installQwen(): Promise<string> {
  return join(await installPackage('@qwen-code/qwen-code', VERSION, 'qwen'), '@qwen-code/qwen-code/cli.js');
}

let world: World;
let node: string;
let session: string;
const folder = () => join(world.home, '.qwen');
const settings = () => readFileSync(join(folder(), 'settings.json'), 'utf8');

async function run(prompt: string, steps: Step[]): Promise<ProgramRun & { requests: JsonObject[] }> {
  const model = await startStepModel(openAiChat, steps);
  world.env.OPENAI_BASE_URL = `${model.url}/v1`;
  try {
    const done = await runIn(world, node, [world.client, '--yolo', '-p', prompt]);
    return { ...done, requests: model.requests() };
  } finally {
    await model.close();
  }
}

beforeAll(async () => {
  world = await makeWorld(undefined, undefined, installQwen());
  node = await installNode('22');
  Object.assign(world.env, { OPENAI_API_KEY: 'fake-key', OPENAI_MODEL: 'fake-model' });
  world.env.PATH = `${dirname(node)}:${world.env.PATH}`;
  await mkdir(folder());
  await writeFile(join(folder(), 'settings.json'), SETTINGS);
});
afterAll(() => world.remove());

test('install keeps the settings of the person', async () => {
  const said = await cairn(world, 'install', 'qwen', '--allow-tools');
  expect(said).toContain('Qwen Code: 10 hooks');
  expect(settings()).toContain('// mine');
  const once = settings();
  await cairn(world, 'install', 'qwen');
  expect(settings()).toBe(once);
});

const CALLS = [
  ['write_file', 'success', ['apples.txt']],
  ['run_shell_command', 'failure', 'cat apples.txt; exit 3'],
  ['read_file', 'success', ['apples.txt']],
  ['mcp__cairn__search', 'success', []],
];

test('a session is captured once, with everything in it', async () => {
  await cairn(world, 'remember', '--type', 'gotcha', 'The orchard counts its trees from one.');
  const apples = join(world.project, 'apples.txt');
  const { exitCode, stdout, stderr, requests } = await run('Write down the trees of the orchard', [
    { tool: 'write_file', input: { file_path: apples, content: 'apple\n' } },
    {
      tool: 'run_shell_command',
      input: { command: 'cat apples.txt; exit 3', description: 'print', is_background: false },
    },
    { tool: 'read_file', input: { file_path: apples } },
    { tool: 'mcp__cairn__search', input: { query: 'orchard trees' } },
    { text: 'The apple tree is written down in apples.txt.' },
  ]);
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
  expect(stdout).toContain('The apple tree is written down');
  const first = JSON.stringify(requests[0]);
  expect(first).toContain('The orchard counts its trees from one');
  const last = JSON.stringify(requests.at(-1));
  expect(last).toContain('1 hit in project');
  // Context is given once, not again after every round of calls.
  expect(last.split('What Cairn remembers').length).toBe(first.split('What Cairn remembers').length);

  await untilDistilled(world);
  session = sessionInChats();
  const stored = await showSession(world, session);
  expect(stored.prompts.map(({ text }) => text)).toEqual(['Write down the trees of the orchard']);
  expect(callsOf(world, stored)).toEqual(CALLS);
  const others = stored.events.filter(({ kind }) => kind !== 'tool-end').map(({ kind }) => kind);
  expect(others.slice(0, 2)).toEqual(['session-start', 'turn-end']);
});

test('a later session is given what the first one did, and has the commands', async () => {
  const { requests } = await run('/cairn:recall trees', [{ text: 'Apples.' }]);
  const first = JSON.stringify(requests[0]);
  expect(first).toContain('Write down the trees of the orchard');
  expect(first).toContain('What does memory say about this? trees');
});

test('transcripts alone give the same session', async () => {
  world.env.CAIRN_HOME = join(world.root, 'other-home');
  try {
    await cairn(world, 'import', 'qwen');
    const stored = await showSession(world, session);
    expect(stored.prompts.map(({ text }) => text)).toEqual(['Write down the trees of the orchard']);
    expect(callsOf(world, stored)).toEqual(CALLS);
  } finally {
    delete world.env.CAIRN_HOME;
  }
});

test('with the files of Cairn gone, the client works on', async () => {
  const home = join(world.home, '.cairn');
  await rename(home, `${home}.away`);
  const { exitCode, stdout } = await run('say hello', [
    {
      tool: 'run_shell_command',
      input: { command: 'echo hi', description: 'say hi', is_background: false },
    },
    { text: 'Hello.' },
  ]);
  await rename(`${home}.away`, home);
  expect({ exitCode, answered: stdout.includes('Hello.') }).toEqual({ exitCode: 0, answered: true });
});

test('uninstall leaves every file as it was', async () => {
  const changed = settings() !== SETTINGS;
  await cairn(world, 'uninstall', 'qwen', '--yes');
  expect({ changed, settings: settings() }).toEqual({ changed: true, settings: SETTINGS });
  expect(existsSync(join(folder(), 'commands'))).toBe(false);
});

function sessionInChats(): string {
  const [chat = ''] = readdirSync(folder(), { recursive: true, encoding: 'utf8' }).filter((name) =>
    /chats\/[^/]+\.jsonl$/.test(name),
  );
  return basename(chat, '.jsonl');
}
