import { join } from 'node:path';
import type { AgentClient } from './agent-client.ts';
import { writeText } from './agent-world.ts';
import { geminiModel } from './gemini-model.ts';

export const GEMINI_SETTINGS = `{
  // mine
  "security": { "auth": { "selectedType": "gemini-api-key" } },
  "privacy": { "usageStatisticsEnabled": false },
  "general": { "enableAutoUpdate": false }
}
`;

export const gemini: AgentClient = {
  client: {
    id: 'gemini',
    version: '0.61.0',
    package: '@google/gemini-cli',
    programs: ['@google/gemini-cli/bundle/gemini.js'],
    node: 'ours',
  },
  protocol: geminiModel,
  prepare: ({ home }) => writeText(join(home, '.gemini/settings.json'), GEMINI_SETTINGS),
  run: (modelUrl, prompt) => ({
    args: ['-m', 'gemini-2.5-flash', '--approval-mode', 'yolo', '-p', prompt],
    env: {
      GEMINI_API_KEY: 'fake-key',
      GEMINI_CLI_TRUST_WORKSPACE: 'true',
      GOOGLE_GEMINI_BASE_URL: modelUrl,
    },
  }),
};
