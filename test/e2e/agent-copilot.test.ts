import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { installAgentClient } from '../support/agent-client.ts';
import {
  type AgentRun,
  type AgentWorld,
  cairnIn,
  leaveMemory,
  listWrittenFiles,
  makeAgentWorld,
  readCaptured,
  readFiles,
  removeAgentWorld,
  runAgentSession,
  type SessionResult,
  startProject,
  textOfRequest,
  writeJson,
} from '../support/agent-world.ts';
import type { ChatStep } from '../support/scripted-chat-model.ts';
import { until } from '../support/until.ts';

const WORDS = 'We decided: the orchard server listens on port 7070, because 8080 is taken by the proxy.';

let program: string;
let world: AgentWorld;
let files: string[];
let before: Record<string, string | null>;
let run: SessionResult;

beforeAll(async () => {
  program = await installAgentClient({
    id: 'copilot',
    version: '1.0.102',
    package: '@github/copilot',
    programs: ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64'].map(
      (machine) => `@github/copilot-${machine}/copilot`,
    ),
  });
  world = makeAgentWorld();
  await startProject(world);
  writeJson(join(world.home, '.copilot/mcp-config.json'), { mcpServers: {} });
  files = await listWrittenFiles(world, 'copilot');
  before = readFiles(files);
  await leaveMemory(world, WORDS);
  await cairnIn(world, ['install', 'copilot', '--yes']);
  run = await runAgentSession(world, steps(), (url) => client(url, 'please write a file'));
});

afterAll(() => removeAgentWorld(world));

function client(modelUrl: string, prompt: string): AgentRun {
  return {
    program,
    args: ['-p', prompt, '--allow-all-tools'],
    env: {
      COPILOT_OFFLINE: 'true',
      COPILOT_PROVIDER_BASE_URL: modelUrl,
      COPILOT_PROVIDER_API_KEY: 'fake-key',
      COPILOT_MODEL: 'scripted-model',
      COPILOT_PROVIDER_MAX_PROMPT_TOKENS: '100000',
      COPILOT_AUTO_UPDATE: 'false',
    },
  };
}

function steps(): ChatStep[] {
  const path = join(world.project, 'a.txt');
  return [
    { call: 'create', input: { path, file_text: 'hello\n' } },
    { call: 'bash', input: { command: 'cat a.txt; exit 3', description: 'print it' } },
    { call: 'view', input: { path } },
    { call: 'view', input: { path: join(world.project, 'missing.txt') } },
    { call: 'cairn-search', input: { query: 'port' } },
    { text: 'We decided: the greeting goes to a.txt, because the gardener reads only text files.' },
  ];
}

describe('GitHub Copilot CLI', () => {
  test('runs to its end', () => {
    expect({ exitCode: run.exitCode, stderr: run.stderr, requests: run.requests.length }).toEqual({
      exitCode: 0,
      stderr: expect.not.stringContaining('hook'),
      requests: 6,
    });
  });

  test('the memory of an earlier session reaches the first request', () => {
    expect(textOfRequest(run.requests[0])).toContain('port 7070');
  });

  test('the tool of Cairn answers', () => {
    expect(textOfRequest(run.requests[5])).toMatch(/"role":"tool".*7070/);
  });

  test('everything is captured once', async () => {
    expect(await readCaptured(world, 'copilot')).toEqual({
      kinds: ['session-start', 'turn-end', 'session-end'],
      prompts: ['please write a file'],
      calls: ['create success', 'bash failure', 'view success', 'view failure', 'cairn-search success'],
    });
  });

  test('what the agent said is remembered, from its transcript', async () => {
    const found = await until('a memory of the last words', async () => {
      const memories = await cairnIn(world, ['search', 'gardener', '--json']);
      return memories.includes('gardener reads only text files') ? true : undefined;
    });
    expect(found).toBe(true);
  });

  test('the client works on when the files of Cairn are gone', async () => {
    rmSync(join(world.home, '.cairn/capture.sh'));
    const again = await runAgentSession(world, [{ text: 'Still here.' }], (url) =>
      client(url, 'are you there'),
    );
    expect(again).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('Still here.') });
    expect(textOfRequest(again.requests[0])).not.toContain('7070');
  });

  test('uninstall leaves every file as it was', async () => {
    await cairnIn(world, ['uninstall', 'copilot', '--yes']);
    expect(readFiles(files)).toEqual(before);
  });
});
