import { join } from 'node:path';
import { checkAgent } from '../support/agent-checks.ts';
import { writeJson } from '../support/agent-world.ts';

checkAgent({
  client: {
    id: 'pi',
    version: '0.87.1',
    package: '@earendil-works/pi-coding-agent',
    programs: ['@earendil-works/pi-coding-agent/dist/cli.js'],
    node: '22',
  },
  prepare: ({ home }, modelUrl) => {
    const model = { id: 'scripted-model', contextWindow: 100_000, maxTokens: 8_000 };
    const provider = { api: 'openai-completions', apiKey: 'fake-key', models: [model] };
    writeJson(join(home, '.pi/agent/models.json'), {
      providers: { scripted: { baseUrl: modelUrl, ...provider } },
    });
  },
  run: (_, prompt) => ({
    args: ['-p', '--provider', 'scripted', '--model', 'scripted-model', prompt],
    env: { PI_OFFLINE: '1' },
  }),
  steps: (project) => [
    { call: 'write', input: { path: join(project, 'a.txt'), content: 'hello\n' } },
    { call: 'bash', input: { command: 'cat a.txt; exit 3' } },
    { call: 'read', input: { path: join(project, 'a.txt') } },
    { call: 'read', input: { path: join(project, 'missing.txt') } },
    { call: 'cairn_search', input: { query: 'port' } },
  ],
  calls: ['write success', 'bash failure', 'read success', 'read failure', 'cairn_search success'],
});
