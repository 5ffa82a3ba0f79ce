import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type OpenClient, openClient } from '../support/agent-client.ts';
import {
  cairnIn,
  makeAgentWorld,
  readCaptured,
  removeAgentWorld,
  startProject,
  textOfRequest,
  writeText,
} from '../support/agent-world.ts';

/** The real Continue CLI, as an example of agents that use Cairn only through MCP and rules. */

const CLIENT = {
  id: 'continue',
  version: '1.5.47',
  package: '@continuedev/cli',
  programs: ['@continuedev/cli/dist/cn.js'],
  node: 'ours' as const,
};
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
let client: OpenClient;

beforeAll(async () => {
  await startProject(world);
  client = await openClient(
    {
      client: CLIENT,
      prepare: (_, modelUrl) => writeText(config, configFor(modelUrl)),
      run: (_, prompt) => ({
        args: ['-p', prompt],
        env: { CONTINUE_TELEMETRY_ENABLED: '0', CONTINUE_METRICS_ENABLED: '0' },
      }),
    },
    world,
  );
});
afterAll(async () => {
  await client.close();
  await removeAgentWorld(world);
});

test('the model gets the rules, a tool returns a memory, and the session is imported', async () => {
  const before = readFileSync(config, 'utf8');
  await cairnIn(world, ['install', 'continue', '--yes']);
  await cairnIn(world, ['remember', 'The orchard server needs port 7070']);

  const { exitCode, stdout, requests } = await client.runSession(
    [{ call: 'search', input: { query: 'orchard port' } }, { text: 'It needs port 7070.' }],
    'Which port?',
  );
  expect({ exitCode, stdout: stdout.trim() }).toEqual({ exitCode: 0, stdout: 'It needs port 7070.' });
  expect(textOfRequest(requests[0])).toContain('Memory of past sessions');
  expect(textOfRequest(requests[0])).not.toContain('7070');
  expect(textOfRequest(requests.at(-1))).toContain('The orchard server needs port 7070');

  await cairnIn(world, ['import', 'continue']);
  await cairnIn(world, ['import', 'continue']);
  expect(await readCaptured(world, 'continue')).toEqual({
    kinds: ['turn-end'],
    prompts: ['Which port?'],
    calls: ['search success'],
  });

  await cairnIn(world, ['uninstall', 'continue', '--yes']);
  expect(readFileSync(config, 'utf8')).toBe(before);
});
