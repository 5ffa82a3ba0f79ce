import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { AgentRun, AgentWorld } from './agent-world.ts';
import type { ChatStep } from './scripted-chat-model.ts';

/** For OpenCode and agents made from it. */

/** With all that a client adds at its first start. The provider's address comes from the environment, since each session has a model of its own. */
const SETTINGS = `{
  "$schema": "https://opencode.ai/config.json",
  // The person's own.
  "provider": {
    "scripted": {
      "npm": "@ai-sdk/openai-compatible",
      "name": "Scripted",
      "options": { "baseURL": "{env:SCRIPTED_MODEL}", "apiKey": "fake-key" },
      "models": { "scripted-model": { "name": "scripted", "limit": { "context": 100000, "output": 8000 } } }
    }
  },
  "permission": { "bash": "allow" },
  "model": "scripted/scripted-model"
}
`;

export function prepareOpenCode({ home }: AgentWorld, path: string): void {
  mkdirSync(dirname(join(home, path)), { recursive: true });
  writeFileSync(join(home, path), SETTINGS);
}

export function runOpenCode(modelUrl: string, args: string[]): Omit<AgentRun, 'program'> {
  const switches = ['AUTOUPDATE', 'MODELS_FETCH', 'LSP_DOWNLOAD'].flatMap((name) => [
    [`OPENCODE_DISABLE_${name}`, '1'],
    [`KILO_DISABLE_${name}`, '1'],
  ]);
  return {
    args,
    // At its start the client installs packages for plugins that want some; it goes on when that fails.
    env: {
      npm_config_fetch_retries: '0',
      ...Object.fromEntries(switches),
      KILO_TELEMETRY_LEVEL: 'off',
      SCRIPTED_MODEL: modelUrl,
    },
  };
}

export function openCodeSteps(project: string): ChatStep[] {
  return [
    { call: 'write', input: { filePath: join(project, 'a.txt'), content: 'hello\n' } },
    { call: 'bash', input: { command: 'cat a.txt; exit 3', description: 'print it' } },
    { call: 'read', input: { filePath: join(project, 'a.txt') } },
    { call: 'read', input: { filePath: join(project, 'missing.txt') } },
    { call: 'cairn_search', input: { query: 'port' } },
  ];
}

export const openCodeCalls = [
  'write success',
  'bash failure',
  'read success',
  'read failure',
  'cairn_search success',
];
