import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Agent } from '../../src/agents/agent.ts';
import { agentById } from '../../src/agents/all.ts';
import { replyTable as claudeCodeReplies } from '../../src/agents/claude-code/reply-rules.ts';
import { replyTable as codexReplies } from '../../src/agents/codex/reply-rules.ts';
import { type ReplyTable, validateOutput } from '../../src/agents/dialect/reply-rules.ts';
import { replyTable as droidReplies } from '../../src/agents/droid/reply-rules.ts';
import { replyTable as geminiReplies } from '../../src/agents/gemini/reply-rules.ts';
import type { HookEntries } from '../../src/agents/install/agent-installer.ts';
import { installers } from '../../src/agents/install/installers.ts';
import { replyTable as qwenReplies } from '../../src/agents/qwen/reply-rules.ts';
import { findPlace } from '../../src/capture/place.ts';
import { isObject, type JsonObject, parseJson } from '../../src/model/json.ts';
import { hookProgram } from '../../src/platform/installation.ts';
import { afterIntake, type HookWorld, makeHookWorld, runProgram, SILENCE } from '../support/hook-call.ts';
import { breakSpool, buildHookWith, point } from '../support/hook-faults.ts';
import type { ProcessRun } from '../support/hooks-library.ts';
import { PLACE } from '../support/install-place.ts';
import { rememberTurn } from '../support/memories.ts';

/*
 * How every agent with hooks sees them when something is wrong, by that agent's own rules. hook-matrix.test.ts has what
 * is special in Claude Code.
 */

interface HookRules {
  /** Exit codes with which the agent continues and reports no error. */
  exitCodes: number[];
  /** Events at which plain text is a valid reply. */
  plainText?: string[];
  /** Lists what is wrong with a reply at this event. */
  findProblems(event: string, reply: JsonObject): string[];
  /** The payload is a here-document after the command, as Cursor passes it. */
  hasHereDocument?: true;
}

const inDialect = (table: ReplyTable, exitCodes = [0]): HookRules => ({
  exitCodes,
  plainText: [...table.rules].flatMap(([event, { context }]) => (context === 'stdout' ? [event] : [])),
  findProblems: (event, reply) => validateOutput(table, event, reply),
});

/** For agents that accept a single field at some events. */
const withFields = (fields: Record<string, string>): HookRules => ({
  exitCodes: [0],
  findProblems: (event, reply) =>
    Object.entries(reply).flatMap(([key, value]) =>
      key === fields[event] && typeof value === 'string' && value !== '' ? [] : [`${key} at ${event}`],
    ),
});

const RULES: Record<string, HookRules> = {
  // After a tool, exit code 2 shows stderr to the model and blocks nothing.
  'claude-code': inDialect(claudeCodeReplies, [0, 2]),
  codex: inDialect(codexReplies),
  // Every other exit code blocks.
  gemini: inDialect(geminiReplies, [0, 1]),
  qwen: inDialect(qwenReplies),
  droid: inDialect(droidReplies),
  kimi: withFields({ UserPromptSubmit: 'message' }),
  // No output of a hook reaches the model.
  windsurf: withFields({}),
  copilot: withFields({
    sessionStart: 'additionalContext',
    postToolUse: 'additionalContext',
    userPromptTransformed: 'modifiedTransformedPrompt',
  }),
  cursor: {
    ...withFields({
      sessionStart: 'additional_context',
      beforeSubmitPrompt: 'additional_context',
      postToolUse: 'additional_context',
      postToolUseFailure: 'additional_context',
    }),
    // The command is a program in Cairn's home, which may be deleted (127); only 2 blocks.
    exitCodes: [0, 127],
    hasHereDocument: true,
  },
};

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'cairn-agent-matrix-')));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Agents that run a command at an event; plugins, which run in the agent's process, have their own tests. */
const ids = installers
  .filter((installer) => installer.listParts(PLACE).some(({ hooks }) => hooks !== undefined))
  .map(({ id }) => id);

test('every agent that runs hooks has rules here', () => {
  expect(Object.keys(RULES).sort()).toEqual(ids.toSorted());
});

describe.each(ids)('%s', (id) => {
  const agent = agentById(id) as Agent;
  const rules = RULES[id] as HookRules;
  /** The first event at which the agent takes context, if it takes any. */
  const contextEvents = agent.hooks.answered.slice(agent.context.start ? 0 : 1).slice(0, 1);

  /** Calls every event of the agent, or the given ones, in a new world. */
  async function callAll(
    arrange: (world: HookWorld) => CallOptions,
    events?: string[],
  ): Promise<Record<string, ProcessRun>> {
    const world = makeHookWorld(folder);
    const hooks = hooksOf(id, world);
    const options = arrange(world);
    const runs: Record<string, ProcessRun> = {};
    for (const event of events ?? hooks.events) {
      // Without the counts of earlier failures, each event is the first that fails.
      rmSync(join(world.paths.state, 'node-failures'), { force: true });
      rmSync(join(world.paths.state, 'failures'), { force: true });
      runs[event] = await call(world, hooks.command(event), payloadOf(id, event, world), options);
    }
    for (const [event, { exitCode, stdout, stderr }] of Object.entries(runs)) {
      const problems = stdout === '' ? [] : problemsOf(event, stdout);
      expect({ event, isCodeFine: rules.exitCodes.includes(exitCode ?? -1), problems }).toEqual({
        event,
        isCodeFine: true,
        problems: [],
      });
      if (exitCode === 0) expect({ event, stderr }).toEqual({ event, stderr: '' });
    }
    return runs;
  }

  function problemsOf(event: string, stdout: string): string[] {
    if (rules.plainText?.includes(event)) return [];
    const reply = parseJson(stdout);
    if (!isObject(reply) || stdout.indexOf('\n') !== stdout.length - 1)
      return [`not one line of JSON: ${stdout}`];
    return rules.findProblems(event, reply);
  }

  interface CallOptions {
    input?: string;
    env?: Record<string, string>;
    /** The agent kills the hook after this time. */
    endAfterMs?: number;
  }

  async function call(
    world: HookWorld,
    command: string,
    payload: string,
    { input = payload, env = {}, endAfterMs }: CallOptions,
  ): Promise<ProcessRun> {
    const { CLAUDECODE: _, ...usual } = world.env;
    const marker = agent.hooks.marker === undefined ? {} : { [agent.hooks.marker]: 'session-1' };
    const limit = endAfterMs === undefined ? [] : ['timeout', '-s', 'KILL', `${endAfterMs / 1000}`];
    const script = join(world.root, 'hook.sh');
    writeFileSync(script, rules.hasHereDocument ? `${command} <<'HOOK_EOF'\n${input}\nHOOK_EOF\n` : command);
    const [program = '', ...args] = [...limit, 'bash', script];
    return runProgram(program, args, {
      cwd: world.project,
      env: { ...usual, ...marker, ...env },
      ...(!rules.hasHereDocument && { input }),
    });
  }

  const silent = (runs: Record<string, ProcessRun>) =>
    Object.fromEntries(Object.keys(runs).map((event) => [event, SILENCE]));
  const says = (runs: Record<string, ProcessRun>, words: string) =>
    Object.keys(runs).filter((event) => `${runs[event]?.stdout}${runs[event]?.stderr}`.includes(words));

  test('without a fault, memories are given where the agent accepts them', async () => {
    const runs = await callAll((world) => {
      afterIntake(world, (store) =>
        rememberTurn(store, {
          at: Date.now(),
          place: findPlace(world.project),
          observations: [{ type: 'preference', title: 'Prune the apple trees in winter' }],
        }),
      );
      return {};
    });
    expect(says(runs, 'Prune the apple trees')).toEqual(expect.arrayContaining(contextEvents));
  });

  test('with a spool that is not writable, the person gets a message where the agent shows one', async () => {
    const runs = await callAll((world) => {
      breakSpool(world);
      return { env: { CAIRN_HOOK_FAIL_LOUD_THRESHOLD: '1' } };
    });
    expect(says(runs, 'Cairn could not keep the last').length > 0).toBe(!agent.hidesNotices);
  });

  test('without node, the person gets a message where the agent shows one', async () => {
    const runs = await callAll((world) => {
      point(world, 'cairn_node', join(world.root, 'gone'));
      point(world, 'cairn_hook', join(world.root, 'gone'));
      return { env: { CAIRN_HOOK_FAIL_LOUD_THRESHOLD: '1' } };
    });
    expect(says(runs, 'Cairn: node failed').length > 0).toBe(agent.hooks.showsSystemMessage);
  });

  test('without node and a writable spool, the person gets a message where the agent shows one', async () => {
    const runs = await callAll((world) => {
      point(world, 'cairn_hook', join(world.root, 'gone'));
      breakSpool(world);
      return { env: { CAIRN_HOOK_FAIL_LOUD_THRESHOLD: '1' } };
    });
    expect(says(runs, 'events are lost').length > 0).toBe(agent.hooks.showsSystemMessage);
  });

  test('with a deleted home, the hooks print no reply and do not create a home', async () => {
    let home = '';
    const runs = await callAll((world) => {
      home = world.home;
      rmSync(world.home, { recursive: true });
      return {};
    });
    expect(says(runs, 'airn')).toEqual(rules.hasHereDocument ? Object.keys(runs) : []);
    expect(
      Object.values(runs)
        .map(({ stdout }) => stdout)
        .join(''),
    ).toBe('');
    expect(existsSync(home)).toBe(false);
  });

  test.each([
    ['no input', ''],
    ['half a payload', '{"session_id": "s1", "prompt'],
    ['text that is not JSON', '<html>\u0001\ufffd'],
    ['an array', '[1, 2]'],
  ])('%s gets no output', async (_name, input) => {
    const runs = await callAll(() => ({ input }));
    expect(runs).toEqual(silent(runs));
  });

  test('a payload of 5 MB gets no output', async () => {
    const runs = await callAll(() => ({
      input: JSON.stringify({ session_id: 's1', prompt: 'five megabytes of notes '.repeat(220_000) }),
    }));
    expect(runs).toEqual(silent(runs));
  });

  describe('a faulty hook program', () => {
    // The other events do not start node.
    const answering = [...agent.hooks.answered, ...agent.hooks.prompts];
    test.each(['throws', 'is killed', 'ends with 1', 'ends with 2', 'ends with 127'])(
      'that %s prints nothing',
      async (deed) => {
        const runs = await callAll((world) => plant(world, deed), answering);
        expect(runs).toEqual(silent(runs));
      },
    );

    test.each(['prints to stdout', 'prints to stderr'])('that %s only prints its reply', async (deed) => {
      const runs = await callAll((world) => plant(world, deed), answering);
      expect(says(runs, 'for the model')).toEqual(expect.arrayContaining(contextEvents));
      expect(says(runs, 'stray words')).toEqual([]);
    });

    test('that hangs prints nothing until the agent kills it', async () => {
      const world = makeHookWorld(folder);
      const hooks = hooksOf(id, world);
      const [start = ''] = agent.hooks.answered;
      const options = { ...plant(world, 'hangs'), endAfterMs: 1_000 };
      const { stdout, stderr } = await call(
        world,
        hooks.command(start),
        payloadOf(id, start, world),
        options,
      );
      expect({ stdout, stderr, kept: readdirSync(world.paths.spool).length }).toEqual({
        stdout: '',
        stderr: '',
        kept: 1,
      });
    });
  });
});

let planted: string;
beforeAll(async () => {
  planted = await buildHookWith(folder, 'handlers/all.ts', PLANTED_HANDLER);
});

function plant(world: HookWorld, deed: string) {
  point(world, 'cairn_hook', planted);
  return { env: { DEED: deed } };
}

const PLANTED_HANDLER = `
  export function handleEvent(event) {
    switch (process.env.DEED) {
      case 'throws': throw new Error('planted');
      case 'is killed': process.kill(process.pid, 'SIGKILL');
      case 'ends with 1': process.exit(1);
      case 'ends with 2': process.exit(2);
      case 'ends with 127': process.exit(127);
      case 'hangs': for (;;);
      case 'prints to stdout': console.log('stray words'); break;
      case 'prints to stderr': console.error('stray words'); break;
    }
    return { context: 'for the model' };
  }`;

function hooksOf(id: string, { paths, root }: HookWorld): HookEntries {
  const place = {
    ...PLACE,
    userHome: root,
    captureScript: paths.captureScript,
    launcher: paths.launcher,
    interpreter: process.execPath,
    hookProgram: hookProgram(),
  };
  const installer = installers.find((installer) => installer.id === id);
  const hooks = installer?.listParts(place).find((part) => part.hooks !== undefined)?.hooks;
  if (!hooks) throw new Error(`${id} has no hooks`);
  return hooks;
}

/** The agent's recorded payload of this event, or the fields that every agent sends. */
function payloadOf(id: string, event: string, { project }: HookWorld): string {
  const payloads = fileURLToPath(new URL(`../../src/agents/${id}/payloads`, import.meta.url));
  const recorded = readdirSync(payloads, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.json') && basename(path).split('.')[0] === event)
    // A session that starts from nothing gets most context.
    .sort((a, b) => Number(b.includes('startup')) - Number(a.includes('startup')) || a.length - b.length)
    .map((path) => parseJson(readFileSync(join(payloads, path), 'utf8')));
  const payload = recorded.find(isObject) ?? { session_id: 's1', sessionId: 's1', hook_event_name: event };
  return JSON.stringify({ ...payload, cwd: project, workspace_roots: [project] });
}
