import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { callsOf, showSession, untilDistilled } from '../support/agent-sessions.ts';
import { GEMINI_SETTINGS, installGemini, prepareGemini, runGemini } from '../support/gemini.ts';
import type { Step } from '../support/step-model.ts';
import { cairn, makeWorld, type World } from '../support/world.ts';

/** The real Gemini CLI against a scripted model. */

let world: World;
let session: string;
const folder = () => join(world.home, '.gemini');
const read = (name: string) => readFileSync(join(folder(), name), 'utf8');

const run = (prompt: string, steps: Step[]) => runGemini(world, world.client, prompt, steps);

beforeAll(async () => {
  world = await makeWorld(undefined, undefined, installGemini());
  await prepareGemini(world);
});
afterAll(() => world.remove());

test('install adds an extension and nothing else', async () => {
  const said = await cairn(world, 'install', 'gemini', '--allow-tools');
  expect(said).toContain('Gemini CLI: 5 hooks');
  expect(read('settings.json')).toBe(GEMINI_SETTINGS);
  expect(readdirSync(join(folder(), 'extensions/cairn')).sort()).toEqual([
    'commands',
    'gemini-extension.json',
    'hooks',
  ]);
  const manifest = read('extensions/cairn/gemini-extension.json');
  await cairn(world, 'install', 'gemini');
  expect(read('extensions/cairn/gemini-extension.json')).toBe(manifest);
});

test('a session is captured once, with everything in it', async () => {
  await cairn(world, 'remember', '--type', 'gotcha', 'The orchard counts its trees from one.');
  const apples = join(world.project, 'apples.txt');
  const { exitCode, stdout, stderr, requests } = await run('Write down the trees of the orchard', [
    { tool: 'write_file', input: { file_path: apples, content: 'apple\n' } },
    { tool: 'run_shell_command', input: { command: 'cat apples.txt; exit 3', description: 'print' } },
    { tool: 'read_file', input: { file_path: apples } },
    { tool: 'mcp_cairn_search', input: { query: 'orchard trees' } },
    { text: 'The apple tree is written down in apples.txt.' },
  ]);
  expect(exitCode).toBe(0);
  expect(stdout).toContain('The apple tree is written down');
  expect(stderr).not.toMatch(/hook.*(?:fail|error)/i);
  const first = JSON.stringify(requests[0]?.contents);
  expect(first).toContain('The orchard counts its trees from one');
  // The client escapes angle brackets in context.
  expect(first).toContain('&lt;cairn-context&gt;\\nThis is recorded data');
  expect(JSON.stringify(requests.at(-1))).toContain('1 hit in project');

  await untilDistilled(world);
  session = sessionInChats();
  const stored = await showSession(world, session);
  expect(stored.prompts.map(({ text }) => text)).toEqual(['Write down the trees of the orchard']);
  expect(callsOf(world, stored)).toEqual(CALLS);
  expect(stored.events.filter(({ kind }) => kind !== 'tool-end').map(({ kind }) => kind)).toEqual([
    'session-start',
    'turn-end',
    'session-end',
  ]);
});

const CALLS = [
  ['write_file', 'success', ['apples.txt']],
  ['run_shell_command', 'failure', 'cat apples.txt; exit 3'],
  ['read_file', 'success', ['apples.txt']],
  ['mcp_cairn_search', 'success', []],
];

test('a later session is given what the first one did', async () => {
  const { requests } = await run('Which trees do we have?', [{ text: 'Apples.' }]);
  expect(JSON.stringify(requests[0]?.contents)).toContain('Write down the trees of the orchard');
});

test('transcripts alone give the same session', async () => {
  world.env.CAIRN_HOME = join(world.root, 'other-home');
  try {
    await cairn(world, 'import', 'gemini');
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
    { tool: 'run_shell_command', input: { command: 'echo hi', description: 'say hi' } },
    { text: 'Hello.' },
  ]);
  await rename(`${home}.away`, home);
  expect({ exitCode, answered: stdout.includes('Hello.') }).toEqual({ exitCode: 0, answered: true });
});

test('uninstall leaves every file as it was', async () => {
  await cairn(world, 'uninstall', 'gemini', '--yes');
  expect(read('settings.json')).toBe(GEMINI_SETTINGS);
  expect(existsSync(join(folder(), 'extensions/cairn'))).toBe(false);
});

function sessionInChats(): string {
  const [chat = ''] = readdirSync(folder(), { recursive: true, encoding: 'utf8' }).filter((name) =>
    /chats\/session-.*\.jsonl$/.test(name),
  );
  return JSON.parse(read(chat).split('\n')[0] ?? '').sessionId;
}
