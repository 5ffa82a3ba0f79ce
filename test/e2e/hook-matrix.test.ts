import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readBrokenCapture } from '../../src/capture/broken-capture.ts';
import { putInOutbox } from '../../src/capture/outbox.ts';
import { type PauseScope, pause } from '../../src/capture/pauses.ts';
import { findPlace } from '../../src/capture/place.ts';
import { hookProgram } from '../../src/platform/installation.ts';
import {
  afterIntake,
  callHook,
  type HookWay,
  type HookWorld,
  installedCommand,
  makeHookWorld,
  recorded,
  runProgram,
  SILENCE,
} from '../support/hook-call.ts';
import { breakSpool, buildHookWith, point } from '../support/hook-faults.ts';
import type { ProcessRun } from '../support/hooks-library.ts';
import { rememberTurn } from '../support/memories.ts';

/*
 * What an agent sees of a hook: stdout, stderr and exit code, called by node or by the shell. Text for the model and
 * the line for the person are one JSON object on stdout; stderr is for blocks and for problems of the log.
 */

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'cairn-matrix-')));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const EVENTS = [
  { event: 'SessionStart', payload: 'events/SessionStart.startup', kept: 'session-start' },
  { event: 'UserPromptSubmit', payload: 'events/UserPromptSubmit', kept: 'prompt' },
  { event: 'PreToolUse', payload: 'tools/PreToolUse.Read', kept: 'tool-start' },
  { event: 'PostToolUse', payload: 'tools/PostToolUse.Bash', kept: 'tool-end' },
  { event: 'Stop', payload: 'events/Stop', kept: 'turn-end' },
  { event: 'SessionEnd', payload: 'events/SessionEnd.other', kept: 'session-end' },
];
const WAYS: HookWay[] = ['node', 'shell'];
const byEachWay = WAYS.map((way) => ({ way }));
const THRESHOLD_2 = { CAIRN_HOOK_FAIL_LOUD_THRESHOLD: '2' };

describe.concurrent('success, failures below the threshold, failures at the threshold', () => {
  const rows = EVENTS.flatMap((row) => WAYS.map((way) => ({ ...row, way })));
  test.each(rows)('$event by $way', async ({ event, payload, kept, way }) => {
    const world = makeHookWorld(folder);
    let number = 0;
    const call = () => {
      number++;
      const input = recorded(payload, { tool_use_id: `call-${number}`, session_id: `session-${number}` });
      return callHook(world, way, event, { input, env: THRESHOLD_2 });
    };
    const calls: Record<string, ProcessRun> = { success: await call() };
    breakSpool(world);
    calls.below = await call();
    calls.at = await call();
    calls.after = await call();
    repairSpool(world);
    calls.successAgain = await call();
    breakSpool(world);
    calls.belowAgain = await call();
    calls.atAgain = await call();
    repairSpool(world);

    expect(calls).toEqual({
      success: SILENCE,
      below: SILENCE,
      at: reportOf(world, event, 2),
      after: SILENCE,
      successAgain: SILENCE,
      belowAgain: SILENCE,
      atAgain: reportOf(world, event, 2),
    });
    expect(keptKinds(world)).toEqual([kept, kept]);
  });

  test.each(byEachWay)('the default threshold is 3, by $way', async ({ way }) => {
    const world = makeHookWorld(folder);
    breakSpool(world);
    const calls: ProcessRun[] = [];
    for (let i = 0; i < 4; i++)
      calls.push(await callHook(world, way, 'Stop', { input: recorded('events/Stop') }));
    expect(calls).toEqual([SILENCE, SILENCE, reportOf(world, 'Stop', 3), SILENCE]);
  });

  test('a streak counts the failures of all events, by node and by shell', async () => {
    const world = makeHookWorld(folder);
    breakSpool(world);
    const calls = [
      await callHook(world, 'shell', 'PostToolUse', { input: '{}' }),
      await callHook(world, 'node', 'UserPromptSubmit', { input: '{}' }),
      await callHook(world, 'shell', 'PostToolUse', { input: '{}' }),
    ];
    expect(calls).toEqual([SILENCE, SILENCE, reportOf(world, 'PostToolUse', 3)]);
  });

  const unwritable = [
    { name: 'state is a file', ruin: (world: HookWorld) => replaceByFile(world.paths.state) },
    {
      name: 'the home is below a file',
      ruin: (world: HookWorld) => {
        replaceByFile(join(world.root, 'project'));
        world.env.CAIRN_HOME = join(world.root, 'project', 'home');
      },
    },
  ].flatMap((row) => WAYS.map((way) => ({ ...row, way })));
  test.each(unwritable)('the counter works when $name, by $way', async ({ ruin, way }) => {
    const world = makeHookWorld(folder);
    breakSpool(world);
    ruin(world);
    const calls: ProcessRun[] = [];
    for (let i = 0; i < 3; i++)
      calls.push(
        await callHook(world, way, 'PostToolUse', { input: '{}', env: THRESHOLD_2, cwd: world.root }),
      );
    expect(calls).toEqual([
      SILENCE,
      { stdout: '', stderr: expect.stringMatching(/^Cairn could not keep the last 2 events/), exitCode: 2 },
      SILENCE,
    ]);
    expect(readdirSync(join(world.root, 'runtime'), { recursive: true })).toContain(
      join(`cairn-${process.getuid?.()}`, 'failures'),
    );
  });
});

describe.concurrent('input that cannot be understood is kept as far as possible, silently', () => {
  const rows = [
    { name: 'unreadable input', event: 'Stop', input: '{"session_id": "s1", "prompt', kept: [], torn: 1 },
    { name: 'input that is not an object', event: 'Stop', input: '[1, 2]', kept: [], torn: 0 },
    { name: 'invalid UTF-8', event: 'Stop', input: Buffer.from([0xff, 0xfe, 0x00, 0x7b]), kept: [], torn: 1 },
    { name: 'an unknown event', event: 'Florp', input: '{"session_id":"s1"}', kept: [], torn: 0 },
    {
      name: 'an unknown agent',
      agent: 'nobody',
      event: 'Stop',
      input: recorded('events/Stop'),
      kept: [],
      torn: 1,
    },
    {
      name: 'a cwd that does not exist',
      event: 'PostToolUse',
      input: recorded('tools/PostToolUse.Bash', { cwd: '/nowhere/at/all' }),
      kept: ['tool-end'],
      torn: 0,
    },
    {
      name: 'fields of wrong types',
      event: 'PostToolUse',
      input: '{"session_id":7,"cwd":[],"tool_name":{},"tool_input":null,"tool_response":0}',
      kept: ['tool-end'],
      torn: 0,
    },
  ].flatMap((row) => WAYS.map((way) => ({ ...row, way })));
  test.each(rows)('$name, by $way', async ({ way, event, agent = 'claude-code', input, kept, torn }) => {
    const world = makeHookWorld(folder);
    expect(await callHook(world, way, event, { agent, input })).toEqual(SILENCE);
    expect(readdirSync(world.paths.spool)).toHaveLength(1);
    expect({ kept: keptKinds(world), torn: tornFiles(world) }).toEqual({ kept, torn });
  });

  test.each(byEachWay)('a deleted folder as the cwd, by $way', async ({ way }) => {
    const world = makeHookWorld(folder);
    const gone = join(world.root, 'gone');
    mkdirSync(gone);
    const hook =
      way === 'shell'
        ? installedCommand(world, 'PostToolUse')
        : `exec '${process.execPath}' '${hookProgram()}' claude-code PostToolUse settings`;
    const run = await runProgram('/bin/sh', ['-c', `rmdir '${gone}'; ${hook}`], {
      cwd: gone,
      env: { ...world.env, CLAUDE_PROJECT_DIR: gone },
      input: recorded('tools/PostToolUse.Bash', { cwd: gone }),
    });
    expect(run).toEqual(SILENCE);
    expect(keptKinds(world)).toEqual(['tool-end']);
  });

  test.each(byEachWay)('a payload of 50 MB, by $way', async ({ way }) => {
    const world = makeHookWorld(folder);
    const content = 'fifty megabytes of notes\n'.repeat(2 * 1024 * 1024);
    const input = recorded('tools/PostToolUse.Write.create', { tool_input: { file_path: '/a', content } });
    expect(await callHook(world, way, 'PostToolUse', { input })).toEqual(SILENCE);
    expect(keptKinds(world)).toEqual(['tool-end']);
  });
});

describe.concurrent('empty input', () => {
  test.each(byEachWay)('is reported until the hook works again, by $way', async ({ way }) => {
    const world = makeHookWorld(folder);
    const says =
      'Cairn: the hook Stop of claude-code got no input, so it captures nothing. Run: cairn doctor';
    const start = { input: recorded('events/SessionStart.startup') };
    expect(await callHook(world, way, 'Stop')).toEqual(SILENCE);
    expect(keptKinds(world)).toEqual([]);
    // A single one may be chance.
    expect(readBrokenCapture(world.paths)).toBeNull();
    expect(await callHook(world, way, 'Stop')).toEqual(SILENCE);
    expect(keptKinds(world)).toEqual([]);
    expect(readBrokenCapture(world.paths)).toMatchObject({ agent: 'claude-code', hook: 'Stop' });

    expect(await callHook(world, way, 'SessionStart', start)).toEqual(person(says));

    expect(await callHook(world, way, 'Stop', { input: recorded('events/Stop') })).toEqual(SILENCE);
    expect(keptKinds(world)).toEqual(['session-start', 'turn-end']);
    expect(readBrokenCapture(world.paths)).toBeNull();
    expect(await callHook(world, way, 'SessionStart', start)).toEqual(SILENCE);
  });
});

describe.concurrent('answers', () => {
  test.each(byEachWay)(
    'the first session gets a welcome, in the message field only, by $way',
    async ({ way }) => {
      const world = makeHookWorld(folder);
      rmSync(join(world.paths.state, 'welcomed'));
      const start = { input: recorded('events/SessionStart.startup') };
      expect(await callHook(world, way, 'SessionStart', start)).toEqual(person(/^Cairn is on\. /));
      expect(await callHook(world, way, 'SessionStart', start)).toEqual(SILENCE);
    },
  );

  test.each(byEachWay)(
    'text for the model and the line for the person are one object, by $way',
    async ({ way }) => {
      const world = makeHookWorld(folder);
      afterIntake(world, (store) =>
        rememberTurn(store, {
          at: Date.now(),
          place: findPlace(world.project),
          observations: [{ type: 'preference', title: 'Prune the apple trees in winter' }],
        }),
      );
      const { stdout, ...rest } = await callHook(world, way, 'SessionStart', {
        input: recorded('events/SessionStart.startup'),
      });
      expect(rest).toEqual({ stderr: '', exitCode: 0 });
      expect(stdout.split('\n')).toEqual([expect.any(String), '']);
      expect(JSON.parse(stdout)).toEqual({
        systemMessage: expect.stringMatching(
          /^Cairn: gave the agent 1 memory \(1 in full\), \d+ tokens\. See: cairn open$/,
        ),
        hookSpecificOutput: {
          hookEventName: 'SessionStart',
          additionalContext: expect.stringContaining(': Prune the apple trees in winter\n'),
        },
      });
    },
  );

  test.each(EVENTS.flatMap((row) => WAYS.map((way) => ({ ...row, way }))))(
    'a pending notice is shown once, at $event by $way',
    async ({ event, payload, way }) => {
      const world = makeHookWorld(folder);
      putInOutbox(world.paths, 'The apples are ripe.');
      const run = await callHook(world, way, event, { input: recorded(payload) });
      expect(run).toEqual(person('The apples are ripe.'));
      expect(existsSync(world.paths.outbox)).toBe(false);
    },
  );

  test.each(byEachWay)('a notice waits while a failure is reported on stderr, by $way', async ({ way }) => {
    const world = makeHookWorld(folder);
    putInOutbox(world.paths, 'The apples are ripe.');
    breakSpool(world);
    const input = recorded('tools/PostToolUse.Bash');
    const env = { CAIRN_HOOK_FAIL_LOUD_THRESHOLD: '1' };
    const calls = [
      await callHook(world, way, 'PostToolUse', { input, env }),
      await callHook(world, way, 'PostToolUse', { input, env }),
    ];
    expect(calls).toEqual([reportOf(world, 'PostToolUse', 1), person('The apples are ripe.')]);
  });

  test.each(byEachWay)('a turn end caused by a stop hook gets no answer, by $way', async ({ way }) => {
    const world = makeHookWorld(folder);
    putInOutbox(world.paths, 'The apples are ripe.');
    const continued = recorded('events/Stop', { stop_hook_active: true });
    expect(await callHook(world, way, 'Stop', { input: continued })).toEqual(SILENCE);
    expect(keptKinds(world)).toEqual(['turn-end']);
    expect(await callHook(world, way, 'Stop', { input: recorded('events/Stop') })).toEqual(
      person('The apples are ripe.'),
    );
  });

  test.each(byEachWay)(
    'a log that is not writable is reported on stderr, next to the answer, by $way',
    async ({ way }) => {
      const world = makeHookWorld(folder);
      putInOutbox(world.paths, 'The apples are ripe.');
      replaceByFile(world.paths.logs);
      expect(await callHook(world, way, 'Stop', { input: recorded('events/Stop') })).toEqual({
        ...person('The apples are ripe.'),
        stderr: expect.stringMatching(/^Cairn cannot write its log .+\.jsonl: ENOTDIR\n$/),
      });
    },
  );
});

describe.concurrent('faulty code', () => {
  let planted: string;
  let doubled: string;
  beforeAll(async () => {
    planted = await buildHookWith(folder, 'handlers/all.ts', PLANTED_HANDLER);
    doubled = await buildHookWith(folder, 'run.ts', REPLIES_TWICE);
  });

  const answered = {
    stdout: `${JSON.stringify({ hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext: 'for the model' } })}\n`,
    stderr: '',
    exitCode: 0,
  };
  test.each([
    { deed: 'throws', expected: SILENCE, logged: 'handler failed' },
    { deed: 'throws later', expected: answered, logged: 'replied' },
    { deed: 'leaves a promise rejected', expected: answered, logged: 'replied' },
    { deed: 'prints to stdout', expected: answered, logged: 'stray output dropped' },
    { deed: 'prints to stderr', expected: answered, logged: 'replied' },
    { deed: 'warns', expected: answered, logged: 'replied' },
    { deed: 'ends the process with 1', expected: SILENCE, logged: 'hook failed' },
    { deed: 'ends the process with 2', expected: SILENCE, logged: 'hook failed' },
  ])('a handler that $deed', async ({ deed, expected, logged }) => {
    const world = makeHookWorld(folder);
    const input = recorded('events/SessionStart.startup');
    const run = await callHook(world, 'node', 'SessionStart', {
      input,
      program: planted,
      env: { DEED: deed },
    });
    expect(run).toEqual(expected);
    expect(logMessages(world)).toContain(logged);
    expect(keptKinds(world)).toEqual(['session-start']);
  });

  test('the output of a handler is kept when a failure is reported on stderr', async () => {
    const world = makeHookWorld(folder);
    breakSpool(world);
    const run = await callHook(world, 'node', 'PostToolUse', {
      input: recorded('tools/PostToolUse.Bash'),
      program: planted,
      env: { DEED: 'prints to stderr', CAIRN_HOOK_FAIL_LOUD_THRESHOLD: '1' },
    });
    const { stderr } = reportOf(world, 'PostToolUse', 1);
    expect(run).toEqual({ stdout: '', stderr: `stray words\n${stderr}`, exitCode: 2 });
  });

  test('a second reply is refused; the first one is sent', async () => {
    const world = makeHookWorld(folder);
    const input = recorded('events/Stop');
    expect(await callHook(world, 'node', 'Stop', { input, program: doubled })).toEqual(person('first'));
  });
});

describe.concurrent('nothing is captured or printed', () => {
  const scopes: { name: string; scope: (world: HookWorld) => PauseScope }[] = [
    { name: 'everything is paused', scope: () => ({ all: true }) },
    { name: 'the project is paused', scope: ({ project }) => ({ folder: project }) },
    { name: 'the session is paused', scope: () => ({ session: '5a531191-a0d2-4bc2-8ba7-993923113dce' }) },
  ];
  test.each(scopes.flatMap((row) => WAYS.map((way) => ({ ...row, way }))))(
    'while $name, by $way',
    async ({ scope, way }) => {
      const world = makeHookWorld(folder);
      pause(world.paths, scope(world), 0);
      const before = filesIn(world.home);
      for (const [event, payload] of [
        ['UserPromptSubmit', 'events/UserPromptSubmit'],
        ['Stop', 'events/Stop'],
      ] as const)
        expect(await callHook(world, way, event, { input: recorded(payload) })).toEqual(SILENCE);
      expect(filesIn(world.home)).toEqual(before);
    },
  );

  test.each(byEachWay)('except for other projects and sessions, by $way', async ({ way }) => {
    const world = makeHookWorld(folder);
    pause(world.paths, { folder: world.root }, 0);
    pause(world.paths, { session: 'another' }, 0);
    expect(await callHook(world, way, 'Stop', { input: recorded('events/Stop') })).toEqual(SILENCE);
    expect(keptKinds(world)).toEqual(['turn-end']);
  });

  test.each(EVENTS.flatMap((row) => WAYS.map((way) => ({ ...row, way }))))(
    'under the recursion guard: $event by $way',
    async ({ event, payload, way }) => {
      const world = makeHookWorld(folder);
      const before = filesIn(world.home);
      const run = await callHook(world, way, event, { input: recorded(payload), env: { CAIRN_GUARD: '1' } });
      expect(run).toEqual(SILENCE);
      expect(filesIn(world.home)).toEqual(before);
    },
  );
});

describe.concurrent('missing parts of Cairn', () => {
  test('without the package, events are still kept', async () => {
    const world = makeHookWorld(folder);
    point(world, 'cairn_hook', join(world.root, 'gone'));
    for (const { event, payload } of EVENTS)
      expect(await callHook(world, 'shell', event, { input: recorded(payload) })).toEqual(SILENCE);
    expect(keptKinds(world)).toEqual(EVENTS.map(({ kept }) => kept).sort());
  });

  test('without the package and a writable spool, the person is told once', async () => {
    const world = makeHookWorld(folder);
    point(world, 'cairn_hook', join(world.root, 'gone'));
    breakSpool(world);
    const outputs: string[] = [];
    for (const { event, payload } of EVENTS) {
      const run = await callHook(world, 'shell', event, { input: recorded(payload), env: THRESHOLD_2 });
      expect(run).toEqual({ ...SILENCE, stdout: run.stdout });
      outputs.push(run.stdout);
    }
    expect(outputs.filter(Boolean)).toEqual([
      `{"systemMessage":"Cairn: node failed 2 times in a row (exit code 127), and events are lost, because the spool cannot be written. Run: ${world.paths.launcher} doctor"}\n`,
    ]);
  });

  test('without the home, an installed hook does nothing and creates none', async () => {
    const world = makeHookWorld(folder);
    rmSync(world.home, { recursive: true });
    for (const { event, payload } of EVENTS)
      expect(await callHook(world, 'shell', event, { input: recorded(payload) })).toEqual(SILENCE);
    expect(existsSync(world.home)).toBe(false);
  });

  test('without the home, the answering program creates a new one', async () => {
    const world = makeHookWorld(folder);
    rmSync(world.home, { recursive: true });
    expect(await callHook(world, 'node', 'Stop', { input: recorded('events/Stop') })).toEqual(SILENCE);
    expect(keptKinds(world)).toEqual(['turn-end']);
  });
});

const PLANTED_HANDLER = `
  export function handleEvent(event) {
    switch (process.env.DEED) {
      case 'throws': throw new Error('planted');
      case 'throws later': setImmediate(() => { throw new Error('planted'); }); break;
      case 'leaves a promise rejected': Promise.reject(new Error('planted')); break;
      case 'prints to stdout': console.log('stray words'); process.stdout.write('more of them'); break;
      case 'prints to stderr': console.error('stray words'); break;
      case 'warns': process.emitWarning('stray words'); break;
      case 'ends the process with 1': process.exit(1);
      case 'ends the process with 2': process.exit(2);
    }
    return { context: 'for the model' };
  }`;

const REPLIES_TWICE = `
  export async function runHook(call, io) {
    const reply = (systemMessage) => ({ stdout: JSON.stringify({ systemMessage }) + '\\n', stderr: '', exitCode: 0, leftOut: [] });
    io.reply(reply('first'));
    io.reply(reply('second'));
  }`;

function person(line: string | RegExp): ProcessRun {
  if (typeof line === 'string') return { ...SILENCE, stdout: `${JSON.stringify({ systemMessage: line })}\n` };
  const object = new RegExp(`^\\{"systemMessage":"${line.source.replace('^', '')}[^\\n]*"\\}\\n$`);
  return { ...SILENCE, stdout: expect.stringMatching(object) };
}

/** How the person learns of a streak of failures: after a tool on stderr, otherwise in the message field. */
function reportOf({ paths }: HookWorld, event: string, count: number): ProcessRun {
  const cause = `${paths.spool} cannot be written (EEXIST)`;
  const line = `Cairn could not keep the last ${count} events of this agent: ${cause}. Run: cairn doctor`;
  return event === 'PostToolUse' ? { stdout: '', stderr: `${line}\n`, exitCode: 2 } : person(line);
}

function repairSpool({ paths }: HookWorld): void {
  rmSync(paths.spool);
  renameSync(`${paths.spool}.away`, paths.spool);
}

function replaceByFile(path: string): void {
  rmSync(path, { recursive: true, force: true });
  writeFileSync(path, '');
}

function keptKinds(world: HookWorld): string[] {
  const kinds = afterIntake(world, (store) =>
    store.listRecentSessions({ limit: 100 }).flatMap(({ id }) => {
      const { prompts, events } = store.listSessionEvents(id);
      return [...prompts.map(() => 'prompt'), ...events.map(({ kind }) => kind)];
    }),
  );
  return kinds.sort();
}

function tornFiles({ paths }: HookWorld): number {
  return existsSync(paths.torn) ? readdirSync(paths.torn).length : 0;
}

function filesIn(home: string): string[] {
  return readdirSync(home, { recursive: true }).map(String).sort();
}

function logMessages({ paths }: HookWorld): string[] {
  return readdirSync(paths.logs).flatMap((name) =>
    readFileSync(join(paths.logs, name), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).message),
  );
}
