import { join } from 'node:path';
import { checkAgent } from '../support/agent-checks.ts';
import { writeText } from '../support/agent-world.ts';

/** The address of the model comes from the environment. */
const SETTINGS = `# mine
default_model = "scripted"

[providers.scripted]
type = "openai"
api_key = "fake-key"

[models.scripted]
provider = "scripted"
model = "scripted-model"
max_context_size = 100000

[[hooks]]
event = "Stop"
command = "true" # mine too
`;

checkAgent({
  client: {
    id: 'kimi',
    version: '2.1.0',
    package: '@moonshot-ai/kimi-code',
    programs: ['@moonshot-ai/kimi-code/dist/main.mjs'],
    node: '22',
  },
  prepare: ({ home }) => writeText(join(home, '.kimi-code/config.toml'), SETTINGS),
  run: (modelUrl, prompt) => ({
    args: ['-p', prompt],
    env: { OPENAI_BASE_URL: modelUrl, KIMI_DISABLE_TELEMETRY: '1', KIMI_CODE_NO_AUTO_UPDATE: '1' },
  }),
  steps: (project) => [
    { call: 'Write', input: { path: join(project, 'a.txt'), content: 'hello\n' } },
    { call: 'Bash', input: { command: 'cat a.txt; exit 3' } },
    { call: 'Read', input: { path: join(project, 'a.txt') } },
    { call: 'Read', input: { path: join(project, 'missing.txt') } },
    { call: 'mcp__cairn__search', input: { query: 'port' } },
  ],
  calls: ['Write success', 'Bash failure', 'Read success', 'Read failure', 'mcp__cairn__search success'],
  // Without a screen, no hook runs at the end of a session.
  hidesEnd: true,
});
