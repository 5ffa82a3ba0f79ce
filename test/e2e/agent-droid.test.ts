import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JsonObject } from '../../src/model/json.ts';
import { callsOf, showSession, untilDistilled } from '../support/agent-sessions.ts';
import { installPackage } from '../support/install-client.ts';
import { openAiChat } from '../support/openai-chat.ts';
import { type Step, startStepModel } from '../support/step-model.ts';
import { until } from '../support/until.ts';
import { cairn, makeWorld, type ProgramRun, runIn, type World } from '../support/world.ts';

/** The real Droid against a scripted model, and a backend that knows nobody but this person. */

const VERSION = '0.225.2';

async function installDroid(): Promise<string> {
  const name = `@factory/cli-${process.platform}-${process.arch}`;
  return join(await installPackage(name, VERSION, 'droid'), name, 'bin/droid');
}

let world: World;
let backend: Server;
let session: string;
const folder = () => join(world.home, '.factory');
const read = (name: string) => readFileSync(join(folder(), name), 'utf8');

/** The address of the model is in the settings, so it is the same for every run. */
let port: number;
const settings = () =>
  `${JSON.stringify(
    {
      customModels: [
        {
          model: 'fake-model',
          displayName: 'fake',
          baseUrl: `http://127.0.0.1:${port}/v1`,
          apiKey: 'fake-key',
          provider: 'generic-chat-completion-api',
          maxOutputTokens: 4000,
        },
      ],
      hooks: { Stop: [{ hooks: [{ type: 'command', command: 'true # not ours', timeout: 5 }] }] },
    },
    null,
    2,
  )}\n`;

async function run(prompt: string, steps: Step[]): Promise<ProgramRun & { requests: JsonObject[] }> {
  const model = await startStepModel(openAiChat, steps, port);
  try {
    const args = ['exec', '-m', 'custom:fake-0', '--auto', 'high', prompt];
    return { ...(await runIn(world, world.client, args)), requests: model.requests() };
  } finally {
    await model.close();
  }
}

beforeAll(async () => {
  world = await makeWorld(undefined, undefined, installDroid());
  backend = await startBackend();
  port = await findPort();
  Object.assign(world.env, {
    FACTORY_API_KEY: 'fk-fake',
    FACTORY_API_BASE_URL: `http://127.0.0.1:${portOf(backend)}`,
    FACTORY_DROID_AUTO_UPDATE_ENABLED: 'false',
  });
  await mkdir(folder());
  await writeFile(join(folder(), 'settings.json'), settings());
});
afterAll(async () => {
  backend.closeAllConnections();
  backend.close();
  await world.remove();
});

test('install keeps the settings of the person', async () => {
  const said = await cairn(world, 'install', 'droid');
  expect(said).toContain('Droid: 7 hooks');
  expect(JSON.parse(read('settings.json'))).toMatchObject({ customModels: [{ model: 'fake-model' }] });
  expect(existsSync(join(folder(), 'hooks.json'))).toBe(false);
  const once = read('settings.json');
  await cairn(world, 'install', 'droid');
  expect(read('settings.json')).toBe(once);
});

const CALLS = [
  ['Create', 'success', ['apples.txt']],
  ['Execute', 'failure', 'cat apples.txt; exit 3'],
  ['Read', 'success', ['apples.txt']],
  ['cairn___search', 'success', []],
];

test('a session is captured once, with what only the transcript has', async () => {
  await cairn(world, 'remember', '--type', 'gotcha', 'The orchard counts its trees from one.');
  const apples = join(world.project, 'apples.txt');
  const shell = { summary: 'print', timeout: 10, riskLevel: 'low', riskLevelReason: 'x' };
  const { exitCode, stdout, stderr, requests } = await run('Write down the trees of the orchard', [
    { tool: 'Create', input: { file_path: apples, content: 'apple\n' } },
    { tool: 'Execute', input: { command: 'cat apples.txt; exit 3', ...shell } },
    { tool: 'Read', input: { file_path: apples } },
    { tool: 'cairn___search', input: { query: 'orchard trees' } },
    { text: 'The apple tree is written down in apples.txt.' },
  ]);
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
  expect(stdout).toContain('The apple tree is written down');
  expect(JSON.stringify(requests[0])).toContain('The orchard counts its trees from one');
  expect(JSON.stringify(requests.at(-1))).toContain('1 hit in project');

  session = sessionOnDisk();
  const stored = await until('the transcript is read', async () => {
    const shown = await showSession(world, session);
    return shown.prompts.length > 0 ? shown : undefined;
  });
  await untilDistilled(world);
  expect(stored.prompts.map(({ text }) => text)).toEqual(['Write down the trees of the orchard']);
  expect(callsOf(world, stored).sort()).toEqual(CALLS.toSorted());
});

test('a later session is given what the first one did', async () => {
  const { requests } = await run('Which trees do we have?', [{ text: 'Apples.' }]);
  expect(JSON.stringify(requests[0])).toContain('Write down the trees of the orchard');
});

test('transcripts alone give the same session', async () => {
  world.env.CAIRN_HOME = join(world.root, 'other-home');
  try {
    await cairn(world, 'import', 'droid');
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
  const { exitCode, stdout } = await run('say hello', [{ text: 'Hello.' }]);
  await rename(`${home}.away`, home);
  expect({ exitCode, answered: stdout.includes('Hello.') }).toEqual({ exitCode: 0, answered: true });
});

test('uninstall leaves every file as it was', async () => {
  const changed = read('settings.json') !== settings();
  await cairn(world, 'uninstall', 'droid', '--yes');
  expect({ changed, settings: read('settings.json') }).toEqual({ changed: true, settings: settings() });
  expect(existsSync(join(folder(), 'mcp.json'))).toBe(false);
  expect(existsSync(join(folder(), 'commands'))).toBe(false);
});

function sessionOnDisk(): string {
  const [path = ''] = readdirSync(join(folder(), 'sessions'), { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.jsonl'),
  );
  return basename(path, '.jsonl');
}

async function startBackend(): Promise<Server> {
  const server = createServer((request, response) => {
    const person = { userId: 'u1', orgId: 'o1', email: 'robin@example.invalid' };
    const isKnown = /whoami|feature-flags|managed-settings|billing/.test(request.url ?? '');
    response.writeHead(isKnown ? 200 : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify(/whoami/.test(request.url ?? '') ? person : {}));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === 'object' && address ? address.port : 0;
}

async function findPort(): Promise<number> {
  const server = await startBackend();
  const free = portOf(server);
  await new Promise((resolve) => server.close(resolve));
  return free;
}
