import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JsonObject } from '../../src/model/json.ts';
import {
  type AgentWorld,
  cairnIn,
  leaveMemory,
  makeAgentWorld,
  readCaptured,
  removeAgentWorld,
  startProject,
} from '../support/agent-world.ts';

// The client cannot run here: the tests call the hooks of the installed file as it does.

const payloads = join(import.meta.dirname, '../../src/agents/cursor/payloads');
let world: AgentWorld;

beforeAll(async () => {
  world = makeAgentWorld();
  await startProject(world);
  await leaveMemory(world, 'We decided: the orchard server listens on port 7070, because 8080 is taken.');
  await cairnIn(world, ['install', 'cursor', 'claude-code', '--yes']);
});

afterAll(() => removeAgentWorld(world));

/** Calls a hook of the file, with the payload as a here-document after its command, in the client's own folder. */
function callHook(
  event: string,
  more: JsonObject = {},
): { status: number | null; stdout: string; stderr: string } {
  const { hooks } = JSON.parse(readFileSync(join(world.home, '.cursor/hooks.json'), 'utf8'));
  const recorded = JSON.parse(readFileSync(join(payloads, `${event}.json`), 'utf8'));
  const payload = JSON.stringify({ ...recorded, workspace_roots: [world.project], ...more });
  return runAsClient(`${hooks[event][0].command} <<'CURSOR_HOOK_EOF'\n${payload}\nCURSOR_HOOK_EOF\n`);
}

function runAsClient(script: string) {
  const { status, stdout, stderr } = spawnSync('bash', ['-c', script], {
    cwd: join(world.home, '.cursor'),
    env: { ...world.env, CURSOR_VERSION: '3.20.17', CLAUDE_PROJECT_DIR: world.project },
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

test('memory is given at the session start, again with the first prompt, and not with the second', () => {
  const context = {
    status: 0,
    stdout: expect.stringMatching(/^\{"additional_context":".*7070.*"\}\n$/),
    stderr: '',
  };
  const silence = { status: 0, stdout: '', stderr: '' };
  expect(callHook('sessionStart')).toEqual(context);
  expect(callHook('beforeSubmitPrompt', { prompt: 'which port has the orchard server?' })).toEqual(context);
  expect(callHook('beforeSubmitPrompt', { prompt: 'which port has the orchard server?' })).toEqual(silence);
});

test('each event is captured once, and not again by the hooks in .claude settings', async () => {
  for (const event of ['postToolUse', 'postToolUseFailure', 'stop', 'sessionEnd']) {
    expect(callHook(event)).toEqual({ status: 0, stdout: '', stderr: '' });
    const { hooks } = JSON.parse(readFileSync(join(world.home, '.claude/settings.json'), 'utf8'));
    const [group] = hooks[event === 'stop' ? 'Stop' : 'PostToolUse'];
    runAsClient(`${group.hooks[0].command} <<'CURSOR_HOOK_EOF'\n{"session_id":"x"}\nCURSOR_HOOK_EOF\n`);
  }
  const prompt = 'which port has the orchard server?';
  expect(await readCaptured(world, 'cursor')).toEqual({
    kinds: ['session-start', 'turn-end', 'session-end'],
    prompts: [prompt, prompt],
    calls: ['Shell success', 'Read failure'],
  });
  expect(await readCaptured(world, 'claude-code')).toEqual({ kinds: [], prompts: [], calls: [] });
  expect(readdirSync(join(world.home, '.cairn/spool')).filter((name) => name.includes('.'))).toEqual([]);
});
