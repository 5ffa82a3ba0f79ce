import { join } from 'node:path';
import type { AgentClient } from './agent-client.ts';
import { writeText } from './agent-world.ts';
import { openAiResponses } from './openai-responses.ts';

/** The project is trusted from the start, because Codex itself would add it to this file. */
export const codexConfig = (project: string) => `model = "gpt-5.5"          # the person's
model_provider = "scripted"
approval_policy = "never"
sandbox_mode = "danger-full-access"

[model_providers.scripted]
name = "scripted"
base_url = "http://127.0.0.1:9/v1"
wire_api = "responses"
env_key = "SCRIPTED_KEY"

[projects."${project}"]
trust_level = "trusted"
`;

/** Hooks run only if the person trusts them, or with this flag. */
export const TRUST_HOOKS = '--dangerously-bypass-hook-trust';

export const codex: AgentClient = {
  client: {
    id: 'codex',
    version: '0.166.0',
    package: '@openai/codex',
    programs: [
      'linux-x64/vendor/x86_64-unknown-linux-musl',
      'linux-arm64/vendor/aarch64-unknown-linux-musl',
      'darwin-x64/vendor/x86_64-apple-darwin',
      'darwin-arm64/vendor/aarch64-apple-darwin',
    ].map((machine) => `@openai/codex-${machine}/bin/codex`),
  },
  protocol: openAiResponses,
  prepare: ({ home, project }) => writeText(join(home, '.codex/config.toml'), codexConfig(project)),
  run: (modelUrl, prompt) => ({
    args: [
      ...['exec', '--skip-git-repo-check', '--json'],
      ...['-c', `model_providers.scripted.base_url="${modelUrl}"`, prompt],
    ],
    env: { SCRIPTED_KEY: 'fake-key' },
  }),
};
