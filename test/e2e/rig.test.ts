import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isObject, type JsonObject } from '../../src/model/json.ts';
import { ALLOW_USUAL_TOOLS, runSession, type SessionRun } from '../support/claude-code.ts';
import { openScreen } from '../support/claude-code-screen.ts';
import { hookComplaints } from '../support/debug-log.ts';
import { type HookCall, recordHooks } from '../support/hook-recorder.ts';
import { everyKindOfCall, type ScriptedSession } from '../support/sessions.ts';
import { ENDED } from '../support/terminal.ts';
import { toolCallsIn } from '../support/transcripts.ts';
import { makeWorld, runIn, type World } from '../support/world.ts';

// Facts about the real client on which capture depends. If a newer client breaks one of them, it shows here first.

const hasTmux = spawnSync('tmux', ['-V']).status === 0;

let world: World;

beforeAll(async () => {
  world = await makeWorld();
});

afterAll(() => world.remove());

describe('a session with every kind of call', () => {
  const events = ['SessionStart', 'UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'PostToolUseFailure'];
  const laterEvents = ['PostToolBatch', 'SubagentStart', 'SubagentStop', 'Stop', 'SessionEnd'];
  let session: ScriptedSession;
  let run: SessionRun;
  let hookCalls: HookCall[];

  beforeAll(async () => {
    session = everyKindOfCall(world.project);
    const recorder = await recordHooks(join(world.root, 'hooks'), [...events, ...laterEvents]);
    run = await runSession(world, { ...session, settings: { ...session.settings, hooks: recorder.hooks } });
    hookCalls = await recorder.recorded();
  });

  const payloadsOf = (event: string) =>
    hookCalls.filter((call) => call.event === event).map((c) => c.payload);

  test('ends without errors', () => {
    const { exitCode, stderr, debugLog } = run;
    expect({ exitCode, stderr, complaints: hookComplaints(debugLog) }).toEqual({
      exitCode: 0,
      stderr: '',
      complaints: [],
    });
  });

  test('plays the whole script and no more', () => {
    const { main, subagents = {}, notification = [] } = session.script;
    const turns = Object.values(subagents).flat().length + main.length + notification.length;
    expect(run.requests.map((request) => request.scripted)).toEqual(Array(turns).fill(true));
  });

  test('names each tool call in the hooks of its kind, a refused one only in the batch', () => {
    const named = session.calls.map(({ id }) => ({
      id,
      hooks: hookCalls.filter((call) => callIdsIn(call.payload).includes(id)).map((call) => call.event),
    }));
    expect(named).toEqual(session.calls.map(({ id, hooks }) => ({ id, hooks })));
  });

  test('has the same calls in its transcripts, each with a result', () => {
    const answered = (transcript: JsonObject[]) =>
      [...toolCallsIn(transcript)].filter(([, call]) => call.result !== null).map(([id]) => id);
    const idsBy = (who: string) => session.calls.filter((call) => call.by === who).map((call) => call.id);

    const found = {
      main: answered(run.transcript).sort(),
      subagents: Object.values(run.subagentTranscripts).map(answered),
    };
    expect(found).toEqual({ main: idsBy('main').sort(), subagents: [idsBy('subagent')] });
  });

  test('names the subagent that made a call', () => {
    const [subagentId] = Object.keys(run.subagentTranscripts);
    const madeBy = payloadsOf('PostToolUse').map((payload) => [
      payload.tool_use_id,
      payload.agent_id ?? 'main',
    ]);
    const done = session.calls.filter((call) => call.outcome === 'success');
    const expected = done.map((call) => [call.id, call.by === 'main' ? 'main' : subagentId]);
    expect(madeBy.sort()).toEqual(expected.sort());
  });

  test('reports the prompts of the person, then that of the background task', () => {
    const prompts = payloadsOf('UserPromptSubmit').map((payload) => payload.prompt);
    expect(prompts).toEqual([...session.prompts, expect.stringMatching(/^<task-notification>/)]);
  });

  test('reports the closing words and the running tasks at each turn end', () => {
    const ends = payloadsOf('Stop').map((payload) => ({
      text: payload.last_assistant_message,
      running: payload.background_tasks,
    }));
    const [first, second, third] = session.finalTexts;
    const growing = expect.objectContaining({ type: 'shell', status: 'running' });
    expect(ends).toEqual([
      { text: first, running: [growing] },
      { text: second, running: [growing] },
      { text: third, running: [] },
    ]);
  });

  test('reports the closing words of the subagent', () => {
    const texts = payloadsOf('SubagentStop').map((payload) => payload.last_assistant_message);
    expect(texts).toEqual([session.subagentText]);
  });

  test('starts with one session start and ends with one session end', () => {
    const edges = hookCalls.filter(({ event }) => event === 'SessionStart' || event === 'SessionEnd');
    expect([hookCalls.at(0), hookCalls.at(-1)]).toEqual(edges);
    expect(edges).toEqual([
      { event: 'SessionStart', payload: expect.objectContaining({ source: 'startup' }) },
      { event: 'SessionEnd', payload: expect.objectContaining({ reason: 'other' }) },
    ]);
  });
});

describe('a hook that answers', () => {
  test('at session start reaches the model', async () => {
    const reply = { hookEventName: 'SessionStart', additionalContext: 'CONTEXT-MARK from a hook' };
    const settings = hooked({ SessionStart: `echo '${JSON.stringify({ hookSpecificOutput: reply })}'` });
    const { requests } = await runSession(world, { script: SHORT, prompts: ['Good morning'], settings });
    expect(JSON.stringify(requests.at(0)?.body)).toContain('CONTEXT-MARK from a hook');
  });

  test.each([
    ['fails', 'echo BROKEN-MARK >&2; exit 1'],
    ['does not exist', '/no/such/hook'],
    ['prints an invalid answer', `echo '{"hookSpecificOutput":{"additionalContext":"x"}}'`],
    ['prints half an object', `echo '{"continue":'`],
  ])('and %s is reported in the log', async (_, command) => {
    const settings = hooked({ UserPromptSubmit: command });
    const { debugLog } = await runSession(world, { script: SHORT, prompts: ['Good morning'], settings });
    expect(hookComplaints(debugLog)).not.toEqual([]);
  });
});

test('the time limit ends a hanging client and its command', async () => {
  // The command records its end, which shows that the client has passed the signal on.
  const ended = join(world.project, 'command-ended');
  const command = `trap 'touch ${ended}; exit' TERM; while :; do sleep 0.1; done`;
  const script = { main: [[{ tool: 'Bash', input: { command, description: 'Never end' } }]] };
  const { exitCode } = await runSession(world, { script, prompts: ['Wait'], timeoutMs: 6_000 });
  expect({ exitCode, ended: existsSync(ended) }).toEqual({ exitCode: 143, ended: true });
});

test('a plugin from a local marketplace is installed offline and its hooks run', async () => {
  const recorder = await recordHooks(join(world.root, 'plugin-hooks'), ['UserPromptSubmit', 'Stop']);
  const marketplace = join(world.root, 'marketplace');
  const plugin = { name: 'pebble', version: '1.0.0', description: 'Records two events' };
  await writeJson(join(marketplace, '.claude-plugin', 'marketplace.json'), {
    name: 'beach',
    owner: { name: 'Robin' },
    plugins: [{ ...plugin, source: './pebble' }],
  });
  await writeJson(join(marketplace, 'pebble', '.claude-plugin', 'plugin.json'), plugin);
  await writeJson(join(marketplace, 'pebble', 'hooks', 'hooks.json'), { hooks: recorder.hooks });

  const added = await runIn(world, world.client, ['plugin', 'marketplace', 'add', marketplace]);
  const installed = await runIn(world, world.client, ['plugin', 'install', 'pebble@beach']);
  const { debugLog } = await runSession(world, { script: SHORT, prompts: ['Good morning'] });
  expect({
    exitCodes: [added.exitCode, installed.exitCode],
    events: (await recorder.recorded()).map((call) => call.event),
    complaints: hookComplaints(debugLog),
  }).toEqual({ exitCodes: [0, 0], events: ['UserPromptSubmit', 'Stop'], complaints: [] });
});

test.runIf(hasTmux)(
  'a call that a person interrupts is reported when it starts and never again',
  async () => {
    const events = ['PreToolUse', 'PostToolUse', 'PostToolUseFailure', 'PostToolBatch', 'Stop', 'SessionEnd'];
    const recorder = await recordHooks(join(world.root, 'interrupted-hooks'), events);
    const started = join(world.project, 'endless-started');
    const endless = { command: `touch ${started}; tail -f /dev/null`, description: 'Never end' };
    const screen = await openScreen(world, {
      script: { main: [[{ tool: 'Bash', input: endless }]] },
      settings: { ...ALLOW_USUAL_TOOLS, hooks: recorder.hooks },
    });
    try {
      await screen.shows('❯');
      await screen.type('Wait for me');
      await expect.poll(() => existsSync(started), { timeout: 30_000 }).toBe(true);
      await screen.press('Escape');
      await screen.shows('Interrupted');
      await screen.type('/exit');
      await screen.shows(ENDED);
      const reported = (await recorder.recorded()).map((call) => call.event);
      const complaints = hookComplaints(await screen.debugLog());
      expect({ reported, complaints }).toEqual({ reported: ['PreToolUse', 'SessionEnd'], complaints: [] });
      expect(screen.requests().map((request) => request.queue)).toEqual(['main']);
    } finally {
      await screen.close();
    }
  },
);

const SHORT = { main: [[{ text: 'SHORT-ANSWER: good morning.' }]] };

async function writeJson(path: string, value: JsonObject): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, JSON.stringify(value));
}

function hooked(commands: Record<string, string>): JsonObject {
  const hooks: JsonObject = {};
  for (const [event, command] of Object.entries(commands)) {
    hooks[event] = [{ hooks: [{ type: 'command', command }] }];
  }
  return { ...ALLOW_USUAL_TOOLS, hooks };
}

function callIdsIn(payload: JsonObject): unknown[] {
  const calls = Array.isArray(payload.tool_calls) ? payload.tool_calls.filter(isObject) : [payload];
  return calls.map((call) => call.tool_use_id);
}
