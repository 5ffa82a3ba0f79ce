import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { AgentClient, ClientRun } from './agent-client.ts';
import { type AgentWorld, writeJson, writeText } from './agent-world.ts';
import type { ChatStep } from './chat-protocol.ts';
import type { Delegation } from './subagent-checks.ts';

/** Shared by OpenCode and the agents derived from it. */

/**
 * Contains all that a client adds at its first start. The provider's address comes from the environment, since each
 * session has its own model.
 */
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

export function prepareOpenCode({ home }: AgentWorld, path: string, plugin: string): void {
  const folder = join(home, dirname(path));
  writeText(join(home, path), SETTINGS);
  // The client installs this package at its first start and waits for it, unless it finds these files.
  mkdirSync(join(folder, 'node_modules'));
  writeJson(join(folder, 'package-lock.json'), { packages: { '': { dependencies: { [plugin]: '*' } } } });
}

/** The person wants to be asked before Cairn's tools run, which a client without a screen cannot do. */
export function askBeforeTools({ home }: AgentWorld, path: string): void {
  const text = readFileSync(join(home, path), 'utf8');
  writeFileSync(join(home, path), text.replace('"bash": "allow"', '"bash": "allow", "cairn*": "ask"'));
}

export function runOpenCode(modelUrl: string, args: string[]): ClientRun {
  const switches = ['AUTOUPDATE', 'MODELS_FETCH', 'LSP_DOWNLOAD'].flatMap((name) => [
    [`OPENCODE_DISABLE_${name}`, '1'],
    [`KILO_DISABLE_${name}`, '1'],
  ]);
  return {
    args,
    env: {
      npm_config_fetch_retries: '0',
      ...Object.fromEntries(switches),
      KILO_TELEMETRY_LEVEL: 'off',
      SCRIPTED_MODEL: modelUrl,
    },
  };
}

export const openCode: AgentClient = {
  client: {
    id: 'opencode',
    version: '1.18.33',
    package: 'opencode-ai',
    programs: ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64'].map(
      (machine) => `opencode-${machine}/bin/opencode`,
    ),
  },
  prepare: (world) => prepareOpenCode(world, '.config/opencode/opencode.json', '@opencode-ai/plugin'),
  run: (modelUrl, prompt) => runOpenCode(modelUrl, ['run', prompt]),
};

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

export const openCodeDelegation: Delegation = {
  steps: [
    {
      call: 'task',
      input: { description: 'count trees', prompt: 'Count the trees.', subagent_type: 'general' },
    },
  ],
  work: { call: 'bash', input: { command: 'echo apple, pear', description: 'count' } },
  calls: ['bash success of a subagent', 'task success'],
};
