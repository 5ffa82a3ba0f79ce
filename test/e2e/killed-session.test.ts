import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { runSession, type SessionRun } from '../support/claude-code.ts';
import { contextsIn } from '../support/contexts.ts';
import { type FakeAgent, startFakeAgent } from '../support/fake-agent.ts';
import { afterIntake, type HookWorld, makeHookWorld } from '../support/hook-call.ts';
import { bash } from '../support/shell-turns.ts';
import { tempFolder } from '../support/temp.ts';
import { until } from '../support/until.ts';
import { cairn, makeConnectedWorld, type World } from '../support/world.ts';

/** When the process of an agent has exited, its turn is closed, and the next session gets it at once. */

const REQUEST = 'Throttle the login of the shop after five attempts';

describe('an agent that runs hooks as its children', () => {
  let world: HookWorld;
  let agents: FakeAgent[];

  beforeEach(() => {
    world = makeHookWorld(tempFolder());
    agents = [];
  });
  afterEach(() => Promise.all(agents.map((agent) => agent.kill())));

  function startAgent(session: string): FakeAgent {
    const agent = startFakeAgent(world, session);
    agents.push(agent);
    return agent;
  }

  async function beginTurn(session: string): Promise<FakeAgent> {
    const agent = startAgent(session);
    await agent.runHook('SessionStart', { source: 'startup' });
    await agent.runHook('UserPromptSubmit', { prompt: REQUEST });
    const input = { file_path: join(world.project, 'login.ts'), content: 'export {};\n' };
    const call = { tool_name: 'Write', tool_use_id: 'toolu_1', tool_input: input };
    await agent.runHook('PreToolUse', call);
    await agent.runHook('PostToolUse', { ...call, tool_response: { filePath: input.file_path } });
    return agent;
  }

  const stateOf = (session: string) =>
    afterIntake(world, (store) => ({
      endReason: store.findSessions(session)[0]?.endReason,
      countOpenTurns: store.countOpenTurns(),
    }));

  test('killed during a turn: the next session learns what it did', async () => {
    const first = await beginTurn('first');
    await first.kill();
    const given = await startAgent('second').runHook('SessionStart', { source: 'startup' });
    expect(given).toMatch(
      /Last session:.*Throttle the login of the shop after five attempts → changed login\.ts/,
    );
    expect(stateOf('first')).toEqual({ endReason: 'process gone', countOpenTurns: 0 });
    expect(existsSync(join(world.paths.agentProcesses, 'first'))).toBe(false);
  });

  test('only idle: its session is not ended', async () => {
    const first = await beginTurn('first');
    const given = await startAgent('second').runHook('SessionStart', { source: 'startup' });
    expect(given).not.toContain('Throttle');
    expect(stateOf('first')).toEqual({ endReason: null, countOpenTurns: 1 });
    const record = JSON.parse(readFileSync(join(world.paths.agentProcesses, 'first'), 'utf8'));
    expect(record).toMatchObject({ agent: 'claude-code', pid: first.pid });
  });

  test('resumed by another process: the earlier turn is closed, and the session is open again', async () => {
    const first = await beginTurn('first');
    await first.kill();
    const again = startAgent('first');
    await again.runHook('SessionStart', { source: 'resume' });
    expect(stateOf('first')).toEqual({ endReason: null, countOpenTurns: 0 });
    const record = JSON.parse(readFileSync(join(world.paths.agentProcesses, 'first'), 'utf8'));
    expect(record).toMatchObject({ pid: again.pid });
  });
});

describe('the real client, killed', () => {
  let world: World;
  let second: SessionRun;

  beforeAll(async () => {
    world = await makeConnectedWorld();
    const write = { tool: 'Write', input: { file_path: join(world.project, 'login.txt'), content: '429\n' } };
    const sessionId = '0b0e8f5e-58a4-4b0e-9d35-111111111111';
    const killed = runSession(world, {
      script: { main: [[write], bash('touch at-work; sleep 300')] },
      prompts: [REQUEST],
      args: ['--session-id', sessionId],
    });
    await until('it is at work', () => existsSync(join(world.project, 'at-work')) || undefined);
    const record = join(world.home, '.cairn/state/agent-processes', sessionId);
    process.kill(JSON.parse(readFileSync(record, 'utf8')).pid, 'SIGKILL');
    const { exitCode } = await killed;
    expect(exitCode).toBe(null);
    second = await runSession(world, { script: { main: [[{ text: 'Done.' }]] }, prompts: ['Hello'] });
  });
  afterAll(() => world.remove());

  test('the next session learns of the turn', () => {
    const given = contextsIn(second.requests.find(({ queue }) => queue === 'main')?.body.messages).join('\n');
    expect(given).toMatch(/Last session:\n.*Throttle the login of the shop after five attempts/);
  });

  test('the turn is distilled without waiting for silence', async () => {
    await until('the summary of the killed session', async () => {
      const memories = JSON.parse(await cairn(world, 'recent', '--json'));
      return JSON.stringify(memories).includes('Throttle the login') || undefined;
    });
  });
});
