import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JsonObject } from '../../src/model/json.ts';
import { callsOf, showSession, untilDistilled } from '../support/agent-sessions.ts';
import { codexConfig, installCodex, prepareCodex, runCodex } from '../support/codex.ts';
import type { Step } from '../support/step-model.ts';
import { until } from '../support/until.ts';
import { cairn, makeWorld, type World } from '../support/world.ts';

/** The real Codex against a scripted model. */

/** With a hook of another program. */
const HOOKS = `${JSON.stringify(
  { hooks: { Stop: [{ hooks: [{ type: 'command', command: 'true # not ours', timeout: 5 }] }] } },
  null,
  2,
)}\n`;

let world: World;
/** Codex's id of the session with everything in it. */
let thread: string;
const file = (name: string) => join(world.home, '.codex', name);
const read = (name: string) => readFileSync(file(name), 'utf8');

const run = (prompt: string, steps: Step[]) => runCodex(world, world.client, prompt, steps);

beforeAll(async () => {
  world = await makeWorld(undefined, undefined, installCodex());
  await prepareCodex(world);
  await writeFile(file('hooks.json'), HOOKS);
});
afterAll(() => world.remove());

test('install adds hooks, server and skills, and says that hooks must be trusted', async () => {
  const said = await cairn(world, 'install', 'codex', '--allow-tools');
  expect(said).toContain("8 of Cairn's");
  expect(said).toContain('trust them');
  expect(read('config.toml').startsWith(codexConfig(world.project))).toBe(true);
  expect(await listTrust()).toEqual(Array(9).fill('untrusted'));
  expect(await cairn(world, 'doctor').catch(String)).toContain('are not trusted yet');
  const untouched = read('hooks.json');
  await cairn(world, 'install', 'codex');
  expect(read('hooks.json')).toBe(untouched);
});

test('Codex says nothing about hooks that are not trusted, and works', async () => {
  const { exitCode, stdout } = await run('say hello', [{ text: 'Hello.' }]);
  expect(exitCode).toBe(0);
  expect(stdout).not.toContain('"error"');
});

test('a session is captured once, with everything in it', async () => {
  await trustHooks();
  expect(await listTrust()).toEqual(Array(9).fill('trusted'));
  expect(await cairn(world, 'doctor').catch(String)).not.toContain('not trusted');
  await cairn(world, 'remember', '--type', 'gotcha', 'The orchard counts its trees from one.');
  const patch =
    '*** Begin Patch\n*** Add File: pears.txt\n+pear\n*** Update File: apples.txt\n@@\n-apple\n+two apples\n*** End Patch\n';
  const session = await run('Write down the trees of the orchard', [
    { tool: 'exec_command', input: { cmd: 'echo apple > apples.txt; cat apples.txt' } },
    { tool: 'apply_patch', input: patch },
    { tool: 'exec_command', input: { cmd: 'cat pears.txt; exit 3' } },
    { tool: 'mcp__cairn/search', input: { query: 'orchard trees' } },
    { text: 'Both trees are written down in apples.txt and pears.txt.' },
  ]);
  const { exitCode, stdout, requests } = session;
  expect({ exitCode, problems: /"type":"error"|[Hh]ook/.exec(stdout) }).toEqual({
    exitCode: 0,
    problems: null,
  });
  const first = JSON.stringify(requests[0]);
  expect(first).toContain('The orchard counts its trees from one');
  expect(first).toContain('cairn-handoff');
  expect(JSON.stringify(requests.at(-1))).toContain('title says');

  await untilDistilled(world);
  thread = threadIn(stdout);
  // The exit code is only in the transcript.
  const stored = await until('the transcript is read', async () => {
    const shown = await showSession(world, thread);
    return shown.events.some(({ outcome }) => outcome === 'failure') ? shown : undefined;
  });
  expect(stored.prompts.map(({ text }) => text)).toEqual(['Write down the trees of the orchard']);
  expect(callsOf(world, stored)).toEqual([
    ['Bash', 'success', 'echo apple > apples.txt; cat apples.txt'],
    ['apply_patch', 'success', ['apples.txt', 'pears.txt']],
    ['Bash', 'failure', 'cat pears.txt; exit 3'],
    ['mcp__cairn__search', 'success', []],
  ]);
  expect(stored.events.filter(({ kind }) => kind !== 'tool-end').map(({ kind }) => kind)).toEqual([
    'session-start',
    'turn-end',
    'session-end',
  ]);
});

test('a later session is given what the first one did', async () => {
  const { requests } = await run('Which trees do we have?', [{ text: 'Apples and pears.' }]);
  expect(JSON.stringify(requests[0])).toContain('Write down the trees of the orchard');
});

test('transcripts alone give the same session', async () => {
  const other = join(world.root, 'other-home');
  const before = world.env.CAIRN_HOME;
  world.env.CAIRN_HOME = other;
  try {
    await cairn(world, 'import', 'codex');
    expect(callsOf(world, await showSession(world, thread))).toEqual([
      ['Bash', 'success', 'echo apple > apples.txt; cat apples.txt'],
      ['apply_patch', 'success', ['apples.txt', 'pears.txt']],
      ['Bash', 'failure', 'cat pears.txt; exit 3'],
      ['mcp__cairn__search', 'success', []],
    ]);
  } finally {
    if (before === undefined) delete world.env.CAIRN_HOME;
    else world.env.CAIRN_HOME = before;
  }
});

test('with the files of Cairn gone, Codex works on', async () => {
  const home = join(world.home, '.cairn');
  await rename(home, `${home}.away`);
  const { exitCode, stdout } = await run('say hello', [{ text: 'Hello.' }]);
  await rename(`${home}.away`, home);
  expect({ exitCode, answered: stdout.includes('"text":"Hello."') }).toEqual({ exitCode: 0, answered: true });
});

test('uninstall leaves every file as it was', async () => {
  await cairn(world, 'uninstall', 'codex', '--yes');
  expect(read('hooks.json')).toBe(HOOKS);
  expect(read('config.toml')).toBe(codexConfig(world.project) + trust);
  expect(existsSync(file('skills/cairn'))).toBe(false);
});

function threadIn(stdout: string): string {
  return /"thread_id":"([^"]+)"/.exec(stdout)?.[1] ?? '';
}

/** What the person does in Codex: it keeps a hash of each hook. */
let trust = '';
async function trustHooks(): Promise<void> {
  const hooks = await listHooks();
  trust = hooks
    .map(({ key, currentHash }) => `\n[hooks.state."${key}"]\ntrusted_hash = "${currentHash}"\n`)
    .join('');
  await writeFile(file('config.toml'), read('config.toml') + trust);
}

async function listTrust(): Promise<string[]> {
  return (await listHooks()).map(({ trustStatus }) => trustStatus);
}

interface ListedHook {
  key: string;
  currentHash: string;
  trustStatus: string;
}

/** Asks the client itself. */
async function listHooks(): Promise<ListedHook[]> {
  const server = spawn(world.client, ['app-server'], { cwd: world.project, env: world.env });
  const answers = createInterface({ input: server.stdout })[Symbol.asyncIterator]();
  const ask = async (id: number, method: string, params: JsonObject) => {
    server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    for (;;) {
      const { value, done } = await answers.next();
      if (done) throw new Error('the app server ended');
      const message = JSON.parse(value);
      if (message.id === id) return message.result;
    }
  };
  try {
    await ask(1, 'initialize', { clientInfo: { name: 'test', title: 'test', version: '0' } });
    server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'initialized' })}\n`);
    const { data } = await ask(2, 'hooks/list', { cwds: [world.project] });
    return data[0].hooks;
  } finally {
    server.kill();
  }
}
