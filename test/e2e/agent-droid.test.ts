import { existsSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkAgent } from '../support/agent-checks.ts';
import { writeJson } from '../support/agent-world.ts';

const packageName = `@factory/cli-${process.platform}-${process.arch}`;

/** The client asks this server who the person is. */
let backend: Server;

beforeAll(async () => {
  backend = createServer(({ url = '' }, response) => {
    const person = { userId: 'u1', orgId: 'o1', email: 'robin@example.invalid' };
    const isKnown = /whoami|feature-flags|managed-settings|billing/.test(url);
    response.writeHead(isKnown ? 200 : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify(url.includes('whoami') ? person : {}));
  });
  await new Promise<void>((resolve) => backend.listen(0, '127.0.0.1', resolve));
});

afterAll(() => {
  backend.closeAllConnections();
  backend.close();
});

checkAgent({
  client: {
    id: 'droid',
    version: '0.225.2',
    package: packageName,
    programs: [`${packageName}/bin/droid`],
  },
  prepare({ home, env }, baseUrl) {
    const address = backend.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    Object.assign(env, { FACTORY_API_BASE_URL: `http://127.0.0.1:${port}` });
    const model = {
      ...{ model: 'scripted-model', displayName: 'scripted', baseUrl, apiKey: 'fake-key' },
      ...{ provider: 'generic-chat-completion-api', maxOutputTokens: 4000 },
    };
    const other = { type: 'command', command: 'true # not ours', timeout: 5 };
    const hooks = { Stop: [{ hooks: [other] }] };
    writeJson(join(home, '.factory/settings.json'), { customModels: [model], hooks });
  },
  run: (_modelUrl, prompt) => ({
    args: ['exec', '-m', 'custom:scripted-0', '--auto', 'high', prompt],
    env: { FACTORY_API_KEY: 'fk-fake', FACTORY_DROID_AUTO_UPDATE_ENABLED: 'false' },
  }),
  steps: (project) => [
    { call: 'Create', input: { file_path: join(project, 'a.txt'), content: 'hello\n' } },
    {
      call: 'Execute',
      input: {
        command: 'cat a.txt; exit 3',
        ...{ summary: 'print it', timeout: 10, riskLevel: 'low', riskLevelReason: 'x' },
      },
    },
    { call: 'Read', input: { file_path: join(project, 'a.txt') } },
    { call: 'Read', input: { file_path: join(project, 'missing.txt') } },
    { call: 'cairn___search', input: { query: 'port' } },
  ],
  // No hook reports failed calls or the prompt: they are in the transcript.
  calls: ['Create success', 'Execute failure', 'Read success', 'Read failure', 'cairn___search success'],
  more(rig) {
    test("no file is created that would replace the person's hooks", () => {
      expect(existsSync(join(rig.world.home, '.factory/hooks.json'))).toBe(false);
    });
  },
});
