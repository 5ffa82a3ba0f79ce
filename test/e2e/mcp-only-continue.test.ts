import { readFileSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  cairnIn,
  makeAgentWorld,
  removeAgentWorld,
  runAgentSession,
  startProject,
} from '../support/agent-world.ts';
import { installPackage } from '../support/install-client.ts';

/** The real Continue CLI, for all agents that get Cairn through MCP and rules alone. */

const VERSION = '1.5.47';
const configFor = (model: string) => `name: Mine # my config
version: 1.0.0
schema: v1
models:
  - name: fake
    provider: openai
    model: fake-model
    apiKey: fake-key
    apiBase: ${model}
    roles: [chat]
`;

const world = makeAgentWorld();
const config = join(world.home, '.continue/config.yaml');
let client: string;

beforeAll(async () => {
  client = join(await installPackage('@continuedev/cli', VERSION, 'continue'), '@continuedev/cli/dist/cn.js');
  await startProject(world);
  await mkdir(join(world.home, '.continue'));
  Object.assign(world.env, { CONTINUE_TELEMETRY_ENABLED: '0', CONTINUE_METRICS_ENABLED: '0' });
});
afterAll(() => removeAgentWorld(world));

test('the model is given the rules, calls a tool, and gets what memory has', async () => {
  writeFileSync(config, configFor('http://127.0.0.1:9/v1'));
  const before = readFileSync(config, 'utf8');
  await cairnIn(world, ['install', 'continue', '--yes']);
  await cairnIn(world, ['remember', 'The orchard server needs port 7070']);
  const installed = readFileSync(config, 'utf8');

  const { exitCode, stdout, requests } = await runAgentSession(
    world,
    [{ call: 'search', input: { query: 'orchard port' } }, { text: 'It needs port 7070.' }],
    (url) => {
      writeFileSync(config, installed.replace('http://127.0.0.1:9/v1', url));
      return { program: process.execPath, args: [client, '-p', 'Which port?'], env: {} };
    },
  );
  expect({ exitCode, stdout: stdout.trim() }).toEqual({ exitCode: 0, stdout: 'It needs port 7070.' });
  const texts = requests.map((request) => JSON.stringify(request));
  expect(texts[0]).toContain('Memory of past sessions');
  expect(texts[0]).not.toContain('7070 · ');
  expect(texts.at(-1)).toContain('The orchard server needs port 7070');

  writeFileSync(config, installed);
  await cairnIn(world, ['uninstall', 'continue', '--yes']);
  expect(readFileSync(config, 'utf8')).toBe(before);
});
