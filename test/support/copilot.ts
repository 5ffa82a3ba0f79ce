import { join } from 'node:path';
import type { AgentClient } from './agent-client.ts';
import { writeJson } from './agent-world.ts';

export const copilot: AgentClient = {
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
};
