import { join } from 'node:path';
import { checkAgent } from '../support/agent-checks.ts';
import { writeJson } from '../support/agent-world.ts';

checkAgent({
  client: {
    id: 'copilot',
    version: '1.0.102',
    package: '@github/copilot',
    programs: ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64'].map(
      (machine) => `@github/copilot-${machine}/copilot`,
    ),
  },
  prepare: ({ home }) => writeJson(join(home, '.copilot/mcp-config.json'), { mcpServers: {} }),
  run: (modelUrl, prompt) => ({
    args: ['-p', prompt, '--allow-all-tools'],
    env: {
      COPILOT_OFFLINE: 'true',
      COPILOT_PROVIDER_BASE_URL: modelUrl,
      COPILOT_PROVIDER_API_KEY: 'fake-key',
      COPILOT_MODEL: 'scripted-model',
      COPILOT_PROVIDER_MAX_PROMPT_TOKENS: '100000',
      COPILOT_AUTO_UPDATE: 'false',
    },
  }),
  steps: (project) => [
    { call: 'create', input: { path: join(project, 'a.txt'), file_text: 'hello\n' } },
    { call: 'bash', input: { command: 'cat a.txt; exit 3', description: 'print it' } },
    { call: 'view', input: { path: join(project, 'a.txt') } },
    { call: 'view', input: { path: join(project, 'missing.txt') } },
    { call: 'cairn-search', input: { query: 'port' } },
  ],
  calls: ['create success', 'bash failure', 'view success', 'view failure', 'cairn-search success'],
});
