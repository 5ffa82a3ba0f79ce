import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { registeredEvents } from '../../src/agents/claude-code/events.ts';
import { writeSpoolFile } from '../../src/capture/spool.ts';
import { COMMAND_NAMES } from '../../src/commands/table.ts';
import { SETTINGS } from '../../src/config/settings.ts';
import { type Paths, pathsOf } from '../../src/platform/paths.ts';
import { openDatabase } from '../../src/store/sqlite/open.ts';
import { recorded, runProgram, SILENCE } from '../support/hook-call.ts';
import type { ProcessRun } from '../support/hooks-library.ts';

/** The built command as a person or a script calls it, in an empty HOME. tour.test.ts covers the tour. */

const cli = fileURLToPath(new URL('../../dist/cli.mjs', import.meta.url));
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'cairn-commands-')));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const connected = makePerson();

describe.concurrent('in an empty home', () => {
  test.each([
    { args: [], code: 0, message: /^Cairn \d+\.\d+\.\d+: memory for AI coding agents/ },
    { args: ['--help'], code: 0, message: /Usage: cairn <command>/ },
    { args: ['--version'], code: 0, message: /^\d+\.\d+\.\d+\S*\n$/ },
    { args: ['status'], code: 0, message: /^Nothing is stored yet\. .+cairn install\n$/ },
    { args: ['doctor'], code: 2, message: /! home .+ does not exist yet\n.+\n(.+\n)*.+not connected/ },
    { args: ['sessions'], code: 0, message: /^Nothing was captured in this project yet/ },
    { args: ['sessions', '--all'], code: 0, message: /^Nothing was captured yet/ },
    { args: ['project'], code: 0, message: /^There are no projects yet/ },
    { args: ['recent'], code: 0, message: /^There are no memories of this project yet/ },
    { args: ['recent', '--all'], code: 0, message: /^There are no memories yet/ },
    {
      args: ['search', 'pnpm'],
      code: 0,
      message: /^Nothing about "pnpm"\./,
    },
    { args: ['search', 'a', '--all'], code: 0, message: /^Nothing about "a": it has only very common words/ },
    { args: ['timeline'], code: 0, message: /^Nothing was captured in this project yet/ },
    { args: ['file', 'src/a.ts'], code: 0, message: /^No memories about src\/a\.ts\.\n$/ },
    { args: ['context'], code: 0, message: /^There is nothing to give a new session in this project yet/ },
    {
      args: ['context', '--prompt', 'fix it'],
      code: 0,
      message: /^No memory is relevant enough to this prompt/,
    },
    {
      args: ['context', '--file', 'src/a.ts'],
      code: 0,
      message: /^No memory about this file is worth its tokens/,
    },
    { args: ['work'], code: 0, message: /^No open work items in this project\./ },
    { args: ['work', 'list', '--all'], code: 0, message: /^No open work items\. An agent creates one/ },
    { args: ['handoff'], code: 0, message: /^No handoffs\. Create one: cairn handoff save\n$/ },
    { args: ['stats'], code: 0, message: /^Nothing was captured yet\./ },
    { args: ['queue'], code: 0, message: /^The queue is empty\.\n$/ },
    { args: ['worker'], code: 0, message: /^The worker is not running\./ },
    { args: ['worker', 'stop'], code: 0, message: /^The worker is not running\.\n$/ },
    { args: ['unpause'], code: 0, message: /^Capture was not paused\.\n$/ },
    {
      args: ['config'],
      code: 0,
      message: /^api\.listen = on\n {4}[^\n]+\ncapture\.maxText = 262144\n {4}Longest text/,
    },
    { args: ['config', 'get', 'log.level'], code: 0, message: /^info\n$/ },
    { args: ['logs'], code: 0, message: /^The log is empty\./ },
    { args: ['install', 'claude-code', '--dry-run'], code: 0, message: /^--- .+\n\+\+\+ .+settings\.json\n/ },
    { args: ['uninstall', 'claude-code'], code: 0, message: /^Cairn is not installed for Claude Code/ },
  ])('cairn $args', async ({ args, code, message }) => {
    const { stdout, ...rest } = await cairn(makePerson(), args);
    expect(rest).toEqual({ stderr: '', exitCode: code });
    expect(stdout).toMatch(message);
    expect(stdout).not.toContain('\u001b');
  });

  test('commands that only read do not create a home', async () => {
    const person = makePerson();
    for (const args of [
      ['status'],
      ['doctor'],
      ['config'],
      ['logs'],
      ['install', 'claude-code', '--dry-run'],
    ])
      await cairn(person, args);
    expect(existsSync(person.paths.home)).toBe(false);
  });

  test.each([
    ['help', 'project'],
    ['project', '--help'],
    ['project', 'merge', '-h'],
  ])('cairn %s %s prints the purpose and the usage', async (...args) => {
    const { stdout, ...rest } = await cairn(makePerson(), args);
    expect(rest).toEqual({ stderr: '', exitCode: 0 });
    expect(stdout).toMatch(
      /^List, rename, merge and split projects\n\nUsage: cairn project list \[--json\]\n {7}cairn project rename /,
    );
  });

  test('the overview has a line for every command', async () => {
    const { stdout } = await cairn(makePerson(), ['help']);
    const names = [...stdout.matchAll(/^ {2}([\w-]+) +\S/gm)].map(([, name]) => name);
    expect(names).toEqual(COMMAND_NAMES.filter((name) => name !== 'hook'));
  });
});

describe.concurrent('--json prints one value and nothing else', () => {
  test.each([
    { args: ['status'], code: 0, shape: { installed: true, sessions: 2, prompts: 2, events: 3 } },
    { args: ['doctor'], code: 2, shape: { state: 'warn', checks: expect.any(Array) } },
    { args: ['sessions'], code: 0, shape: [{ project: 'orchard', firstPrompt: 'prune the apple trees' }] },
    { args: ['sessions', '--all'], code: 0, shape: [{ project: 'meadow' }, { project: 'orchard' }] },
    { args: ['sessions', '--all', '--limit', '1'], code: 0, shape: [{ project: 'meadow' }] },
    { args: ['show', 's1'], code: 0, shape: { id: 1, prompts: [{ number: 1 }], events: [{}, {}, {}] } },
    { args: ['show', 'orch'], code: 0, shape: { agentSession: 'orchard-session' } },
    { args: ['project', 'list'], code: 0, shape: [{ name: 'meadow' }, { name: 'orchard', sessions: 1 }] },
    { args: ['config'], code: 0, shape: { 'log.level': 'info' } },
    { args: ['install', 'claude-code', '--dry-run'], code: 0, shape: { status: 'dry-run', changed: true } },
    { args: ['install', 'claude-code'], code: 0, shape: { agents: [{ status: 'installed' }] } },
    { args: ['uninstall', 'claude-code'], code: 0, shape: { agents: [{ status: 'unchanged' }] } },
  ])('cairn $args --json', async ({ args, code, shape }) => {
    const { stdout, ...rest } = await cairn(withTwoSessions(makePerson()), [...args, '--json']);
    expect(rest).toEqual({ stderr: '', exitCode: code });
    expect(JSON.parse(stdout)).toMatchObject(shape);
  });
});

describe.concurrent('wrong usage is reported on stderr, with exit code 1', () => {
  test.each([
    { args: ['stauts'], message: 'Unknown command: stauts. Did you mean stats? See: cairn help' },
    { args: ['florp'], message: 'Unknown command: florp. See: cairn help' },
    { args: ['constructor'], message: 'Unknown command: constructor. See: cairn help' },
    { args: ['help', 'sesions'], message: 'Did you mean sessions?' },
    {
      args: ['status', '--jsn'],
      message: 'Unknown option: --jsn. Did you mean --json?\n\nUsage: cairn status',
    },
    { args: ['status', '--florp'], message: 'Unknown option: --florp.\n\nUsage: cairn status' },
    { args: ['status', 'now'], message: 'Unexpected argument: now.\n\nUsage: cairn status' },
    { args: ['doctor', 'who'], message: 'Unexpected argument: who.' },
    {
      args: ['sessions', '--limit'],
      message:
        '--limit needs a value. One that starts with - is written --limit=-1.\n\nUsage: cairn sessions',
    },
    {
      args: ['sessions', '--limit', 'few'],
      message: '--limit must be a whole number of at least 1.\n\nUsage',
    },
    {
      args: ['show'],
      message: 'Missing memory or session. See: cairn recent, cairn sessions\n\nUsage',
    },
    { args: ['search'], message: 'Missing search terms.\n\nUsage' },
    {
      args: ['search', 'server', '-port'],
      message: 'Unknown option: -port. If it is not an option, put -- before it.\n\nUsage',
    },
    {
      args: ['config', 'set', 'context.tokens', '-5'],
      message: 'Unknown option: -5. If it is not an option, put -- before it.\n\nUsage',
    },
    {
      args: ['search', 'x', '--kind', 'thing'],
      message: '--kind must be one of: observation, summary, note, prompt, error.',
    },
    { args: ['timeline', 'soonish'], message: '"soonish" is neither an id' },
    { args: ['timeline', '7'], message: 'There is no memory #7.' },
    { args: ['timeline', '--before', 'few'], message: '--before must be a whole number from 0 to 500.' },
    { args: ['file'], message: 'Missing file or folder.\n\nUsage' },
    { args: ['show', 's7'], message: 'There is no session s7. See: cairn sessions --all\n' },
    { args: ['show', '7'], message: 'There is no memory 7. See: cairn recent --all\n' },
    { args: ['show', '1', '2'], message: 'Unexpected argument: 2.' },
    { args: ['project', 'lst'], message: 'Unknown subcommand: lst. Did you mean list?\n\nUsage' },
    { args: ['project', 'rename'], message: 'Missing project.\n\nUsage' },
    { args: ['project', 'rename', 'x', 'y'], message: 'There is no project x. See: cairn project list\n' },
    { args: ['project', 'split', '1'], message: '1 is not merged into another project.' },
    { args: ['pause', 'everything'], message: 'Unexpected argument: everything.\n\nUsage' },
    { args: ['pause', '--session'], message: 'Missing session id.' },
    { args: ['pause', '--session', '--project'], message: 'Give either --project or --session, not both.' },
    { args: ['config', 'sett', 'log.level', 'warn'], message: 'Unknown subcommand: sett. Did you mean set?' },
    { args: ['config', 'get'], message: 'Missing setting. See: cairn config list\n\nUsage' },
    { args: ['config', 'get', 'log.levle'], message: 'Unknown setting: log.levle. Did you mean log.level?' },
    { args: ['config', 'set', 'log.level'], message: 'Missing value of log.level.\n\nUsage' },
    {
      args: ['config', 'set', 'log.level', 'loud'],
      message: 'log.level must be one of debug, info, warn, error, off\n',
    },
    {
      args: ['config', 'set', 'log.keepDays', '0'],
      message: 'log.keepDays must be a whole number of at least 1\n',
    },
    {
      args: ['logs', '--level', 'loud'],
      message: '--level must be one of: debug, info, warn, error.\n\nUsage',
    },
    { args: ['logs', '--lines', '0'], message: '--lines must be a whole number of at least 1.\n\nUsage' },
    {
      args: ['work', 'show'],
      message: 'Nothing was captured in this project yet. Is an agent connected? See: cairn status',
    },
    { args: ['tasks'], message: 'Nothing was captured in this project yet.' },
    { args: ['plan'], message: 'Nothing was captured in this project yet.' },
    { args: ['handoff', 'save'], message: 'Nothing was captured in this project yet.' },
    { args: ['install', 'claude'], message: 'Unknown agent: claude. Did you mean claude-code?\n\nUsage' },
    {
      args: ['install', 'claude-code', 'emacs'],
      message: 'Unknown agent: emacs. Known agents: claude-code, ',
    },
  ])('cairn $args', async ({ args, message }) => {
    const run = await cairn(makePerson(), args);
    expect(run).toEqual({ stdout: '', stderr: expect.stringContaining(`cairn: `), exitCode: 1 });
    expect(run.stderr).toContain(message);
    expect(run.stderr).not.toMatch(/^ {4}at /m);
  });
});

describe.concurrent('cairn hook never fails, whatever an agent passes', () => {
  test.each([
    { args: [], input: '' },
    { args: ['claude-code'], input: '{}' },
    { args: ['claude-code', 'Florp'], input: '{"session_id":"s1"}' },
    { args: ['nobody', 'Stop'], input: '{}' },
    { args: ['claude-code', 'Stop', 'plugin', 'and', 'more'], input: 'no JSON' },
    { args: ['claude-code', 'Stop', '--florp', '--json'], input: recorded('events/Stop') },
  ])('cairn hook $args', async ({ args, input }) => {
    expect(await cairn(makePerson(), ['hook', ...args], { input })).toEqual(SILENCE);
  });

  test('prepares the home for the next hook', async () => {
    const person = makePerson();
    const input = recorded('events/SessionStart.startup');
    const { stdout, ...rest } = await cairn(person, ['hook', 'claude-code', 'SessionStart'], { input });
    expect(rest).toEqual({ stderr: '', exitCode: 0 });
    expect(JSON.parse(stdout)).toEqual({ systemMessage: expect.stringMatching(/^Cairn is on\./) });
    expect(existsSync(person.paths.captureScript)).toBe(true);
  });
});

describe('the output', () => {
  const hasTerminal = spawnSync('script', ['--version']).status === 0;

  test.skipIf(!hasTerminal)('is coloured on a terminal, unless NO_COLOR is set', async () => {
    const person = withTwoSessions(makePerson());
    const onTerminal = (env: Record<string, string>) =>
      runProgram('script', ['-qec', `'${process.execPath}' '${cli}' show s1`, '/dev/null'], {
        cwd: person.project,
        env: { ...person.env, TERM: 'xterm', ...env },
      });
    expect((await onTerminal({})).stdout).toContain('\u001b[1mSession s1');
    expect((await onTerminal({ NO_COLOR: '1' })).stdout).not.toContain('\u001b');
  });

  test('reaches a slow reader completely', async () => {
    const person = makePerson();
    spoolPrompt(person, 'long-session', person.project, 'many words '.repeat(20_000));
    // It starts to read when the pipe is full.
    const script = `'${process.execPath}' '${cli}' show s1 --json | { sleep 2; cat; }`;
    const run = await runProgram('/bin/sh', ['-c', script], { cwd: person.project, env: person.env });
    expect(JSON.stringify(JSON.parse(run.stdout)).length).toBeGreaterThan(200_000);
  });

  test('may be closed by its reader without an error', async () => {
    const person = makePerson();
    spoolPrompt(person, 'long-session', person.project, 'many words '.repeat(20_000));
    const script = `{ '${process.execPath}' '${cli}' show s1 --json; echo "ended with $?" >&2; } | head -1`;
    expect(await runProgram('/bin/sh', ['-c', script], { cwd: person.project, env: person.env })).toEqual({
      stdout: '{\n',
      stderr: 'ended with 0\n',
      exitCode: 0,
    });
  });

  test('lists the events of a session', async () => {
    const person = withTwoSessions(makePerson());
    const { stdout } = await cairn(person, ['show', 'orchard-session']);
    expect(stdout.replace(/\d\d:\d\d:\d\d|\d{4}-\d\d-\d\d \d\d:\d\d/g, 'TIME')).toBe(
      [
        'Session s1 · orchard · claude-code orchard-session',
        'TIME – TIME (other)',
        '',
        '1. prune the apple trees',
        '   TIME · Bash echo hello-from-bash; echo to-stderr >&2',
        '   TIME · turn-end first turn final',
        '   TIME · session-end',
        '',
      ].join('\n'),
    );
  });
});

describe.concurrent('pause and unpause', () => {
  test('everything', async () => {
    const person = makePerson();
    expect(await lines(person, ['pause'])).toEqual([
      'Paused everything. Nothing is captured until: cairn unpause',
    ]);
    await cairn(person, ['hook', 'claude-code', 'Stop'], { input: recorded('events/Stop') });
    expect(await lines(person, ['status'])).toEqual([
      expect.stringMatching(/^Cairn /),
      '  projects  0',
      '  sessions  0',
      '  prompts   0',
      '  events    0',
      '  memories  0',
      expect.stringMatching(/^ {2}size/),
      '! Claude Code: not connected → Run: cairn install claude-code',
      '! paused: everything, since just now → Run: cairn unpause',
    ]);
    expect(await lines(person, ['unpause'])).toEqual(['Capturing everything again.']);
  });

  test('a project and sessions', async () => {
    const person = makePerson();
    expect([
      await lines(person, ['pause', '--project']),
      await lines(person, ['pause', '--session', 's1']),
      await lines(person, ['pause', '--session'], { CLAUDE_CODE_SESSION_ID: 's2' }),
      await lines(person, ['unpause', '--project']),
      await lines(person, ['unpause', '--session', 's2']),
      await lines(person, ['unpause', '--session', 's1']),
    ]).toEqual([
      ['Paused the project orchard. Nothing is captured until: cairn unpause --project'],
      ['Paused session s1. Nothing is captured until: cairn unpause --session s1'],
      ['Paused session s2. Nothing is captured until: cairn unpause --session s2'],
      ['Capturing the project orchard again.', expect.stringMatching(/^Still paused: (s1, s2|s2, s1)$/)],
      ['Capturing session s2 again.', 'Still paused: s1'],
      ['Capturing session s1 again.'],
    ]);
  });
});

describe.concurrent('projects', () => {
  test('are renamed, merged and split', async () => {
    const person = withTwoSessions(makePerson());
    const names = async () => {
      const { stdout } = await cairn(person, ['project', 'list', '--json']);
      const projects: { id: number; name: string; sessions: number }[] = JSON.parse(stdout);
      return projects
        .sort((a, b) => a.id - b.id)
        .map(({ id, name, sessions }) => `${id} ${name} ${sessions}`);
    };
    expect(await names()).toEqual(['1 orchard 1', '2 meadow 1']);
    expect(await lines(person, ['project', 'rename', 'orchard', 'Apples'])).toEqual([
      'Renamed orchard to Apples.',
    ]);
    expect(await lines(person, ['project', 'merge', 'meadow', 'Apples'])).toEqual([
      'Merged meadow into Apples. Undo: cairn project split 2',
    ]);
    expect(await names()).toEqual(['1 Apples 2']);
    expect(await lines(person, ['project', 'split', 'meadow'])).toEqual([
      'meadow is a separate project again.',
    ]);
    expect(await lines(person, ['project', 'rename', '1'])).toEqual([
      'Restored the original name of project 1.',
    ]);
    expect(await names()).toEqual(['1 orchard 1', '2 meadow 1']);
  });

  test('cannot be merged with themselves', async () => {
    const person = withTwoSessions(makePerson());
    expect(await cairn(person, ['project', 'merge', '1', 'orchard'])).toEqual({
      stdout: '',
      stderr: 'cairn: Both are the same project.\n',
      exitCode: 1,
    });
  });
});

describe.concurrent('settings', () => {
  test('are set, printed and reset', async () => {
    const person = makePerson();
    expect([
      await lines(person, ['config', 'set', 'log.keepDays', '3']),
      await lines(person, ['config', 'set', 'capture.metaTools', 'Skill,', 'TodoWrite']),
      await lines(person, ['config', 'get', 'log.keepDays']),
      await lines(person, ['config', 'get', 'capture.metaTools']),
      await lines(person, ['config', 'unset', 'log.keepDays']),
      await lines(person, ['config', 'get', 'log.keepDays']),
    ]).toEqual([
      ['Set log.keepDays to 3.'],
      ['Set capture.metaTools to Skill,TodoWrite.'],
      ['3'],
      ['Skill,TodoWrite'],
      [`Reset log.keepDays to ${SETTINGS['log.keepDays'].default}.`],
      [String(SETTINGS['log.keepDays'].default)],
    ]);
    expect(JSON.parse(readFileSync(person.paths.config, 'utf8'))).toEqual({
      'capture.metaTools': ['Skill', 'TodoWrite'],
    });
  });

  test('in a broken file are reported, not used and not overwritten', async () => {
    const person = makePerson();
    mkdirSync(person.paths.home);
    writeFileSync(person.paths.config, '{"log.level": ');
    const listed = await cairn(person, ['config']);
    expect({ ...listed, stdout: '' }).toEqual({
      stdout: '',
      stderr: `${person.paths.config}: is not valid JSON\n`,
      exitCode: 1,
    });
    expect(await cairn(person, ['config', 'set', 'log.level', 'warn'])).toEqual({
      stdout: '',
      stderr: `cairn: ${person.paths.config}: is not valid JSON. Repair or remove the file first; nothing was changed.\n`,
      exitCode: 1,
    });
    expect(readFileSync(person.paths.config, 'utf8')).toBe('{"log.level": ');
  });
});

test('logs are filtered by level, event and number of lines, and printed as JSON', async () => {
  const person = makePerson();
  const debug = { CAIRN_LOG_LEVEL: 'debug' };
  await cairn(person, ['hook', 'claude-code', 'Stop'], { input: 'no JSON', env: debug });
  await cairn(person, ['status'], { env: debug });
  const read = async (...args: string[]) => {
    const { stdout } = await cairn(person, ['logs', '--json', ...args]);
    return stdout
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  };
  const all = await read();
  expect(all.map(({ level, from, message }) => [level, from, message])).toEqual([
    ['debug', 'hook', 'handed over'],
    ['warn', 'hook', 'hook input not understood'],
    ['warn', 'command', 'spool file set aside'],
    ['info', 'command', 'spool ingested'],
  ]);
  expect(await read('--level', 'warn')).toEqual([all[1], all[2]]);
  expect(await read('--lines', '1')).toEqual([all[3]]);
  expect(await read('--event', all[0].event)).toEqual([all[0], all[2]]);
  const { stdout } = await cairn(person, ['logs', '--level', 'warn', '--lines', '1']);
  expect(stdout).toMatch(
    /^\S+ \S+ warn {2}command spool file set aside event=none\.\S+ why=its payload is not JSON\n$/,
  );
});

describe.concurrent('after install', () => {
  beforeAll(async () => {
    expect((await cairn(connected, ['install', 'claude-code', '--yes'])).exitCode).toBe(0);
  });

  test('doctor finds no problem and shows every hook; status exits with 0', async () => {
    const person = installed();
    const never = await doctor(person);
    expect(never.code).toBe(0);
    const hooks = never.checks.filter(({ name }) => name.startsWith('  '));
    expect(hooks.map(({ name }) => name.trim())).toEqual(registeredEvents.map(({ event }) => event));
    for (const { message } of hooks) expect(message).toMatch(/^has not run yet, takes \d+\.\d ms$/);
    expect(never.checks.find(({ name }) => name === 'MCP server')).toMatchObject({
      state: 'ok',
      message: expect.stringMatching(/^9 tools, answers within \d+ ms, in .+\.claude\.json$/),
    });

    withTwoSessions(person);
    const { checks } = await doctor(person);
    const seen = checks.filter(({ message }) => message.startsWith('last ran just now, takes '));
    expect(seen.map(({ name }) => name.trim())).toEqual([
      'UserPromptSubmit',
      'PostToolUse',
      'Stop',
      'SessionEnd',
    ]);
    expect((await cairn(person, ['status'])).exitCode).toBe(0);
  });

  test('doctor records another node if the recorded one is gone; status only reports it', async () => {
    const person = installed();
    const { captureScript, launcher } = person.paths;
    const before = readFileSync(captureScript, 'utf8');
    for (const file of [captureScript, launcher])
      edit(file, /^cairn_node=.*$/m, "cairn_node='/nowhere/node'");
    const status = await cairn(person, ['status']);
    expect([status.exitCode, status.stdout]).toEqual([
      1,
      expect.stringContaining('! interpreter: /nowhere/node is missing → Run: cairn doctor\n'),
    ]);
    const { code, checks } = await doctor(person);
    const message = expect.stringMatching(/^\/nowhere\/node is gone; hooks use \/.+node$/);
    expect(checks).toContainEqual({ name: 'repaired', state: 'ok', message });
    expect([code, readFileSync(captureScript, 'utf8')]).toEqual([0, before]);
    expect((await doctor(person)).checks.map(({ name }) => name)).not.toContain('repaired');
  });

  const troubles: Trouble[] = [
    {
      name: 'the package is gone',
      ruin: ({ paths }) => edit(paths.captureScript, /^cairn_hook=.*$/m, "cairn_hook='/nowhere/hook.cjs'"),
      check: { name: 'program', state: 'bad', message: '/nowhere/hook.cjs is missing', fix: INSTALL },
    },
    {
      name: 'the shell program does nothing',
      ruin: ({ paths }) => edit(paths.captureScript, /^/, 'return 0\n'),
      check: { name: '  Stop', state: 'bad', message: 'ran, but captured nothing', fix: INSTALL },
    },
    {
      name: 'the shell program is of another version',
      ruin: ({ paths }) => edit(paths.captureScript, /Written by Cairn \S+/, 'Written by Cairn 0.0.1.'),
      check: { name: 'program', state: 'warn', message: /written by Cairn 0\.0\.1, this is/, fix: INSTALL },
    },
    {
      name: 'hooks are switched off',
      ruin: ({ settings }) => edit(settings, /^\{/, '{"disableAllHooks": true,'),
      check: {
        name: 'Claude Code',
        state: 'bad',
        message: /"disableAllHooks" is on/,
        fix: /Remove it there/,
      },
    },
    {
      name: 'the settings cannot be read',
      ruin: ({ settings }) => writeFileSync(settings, '{"hooks": '),
      check: {
        name: 'Claude Code',
        state: 'bad',
        message: /settings\.json:1:11: value expected/,
        fix: 'Correct this place in the file.',
      },
    },
    {
      name: 'a setting that makes the client ignore its file',
      ruin: ({ settings }) => edit(settings, /^\{/, '{\n  "permissions": {"allow": "Bash"},'),
      check: {
        name: 'Claude Code',
        state: 'bad',
        message:
          /settings\.json:2:28: "permissions.allow" must be an array; as it is, Claude Code ignores the whole/,
        fix: 'Correct this place in the file.',
      },
      status: 1,
    },
    {
      name: 'hooks that are not an array',
      ruin: ({ settings }) => edit(settings, /"hooks": \{/, '"hooks": {"Notification": "x",'),
      check: {
        name: 'Claude Code',
        state: 'bad',
        message: /settings\.json:2:29: "hooks.Notification" is not an array/,
        fix: 'Correct this place in the file.',
      },
      status: 1,
    },
    {
      name: 'a hook is missing',
      ruin: ({ settings }) => {
        const { hooks } = JSON.parse(readFileSync(settings, 'utf8'));
        delete hooks.Stop;
        writeFileSync(settings, JSON.stringify({ hooks }));
      },
      check: { name: '  Stop', state: 'warn', message: 'missing', fix: INSTALL },
    },
    {
      name: 'the program of the MCP server has moved',
      ruin: ({ env }) => edit(join(env.HOME ?? '', '.claude.json'), /[^"]+bin\/cairn/, '/nowhere/bin/cairn'),
      check: { name: 'MCP server', state: 'warn', message: /^outdated in .+\.claude\.json$/, fix: INSTALL },
    },
    {
      name: 'another MCP server has our name',
      ruin: ({ env }) =>
        writeFileSync(join(env.HOME ?? '', '.claude.json'), '{"mcpServers": {"cairn": {"url": "x"}}}'),
      check: { name: 'MCP server', state: 'warn', message: /^another server is called/, fix: /Rename it/ },
    },
    {
      name: 'a folder that is not trusted',
      ruin: ({ env, project }) =>
        writeFileSync(
          join(env.HOME ?? '', '.claude.json'),
          JSON.stringify({ projects: { [project]: { hasTrustDialogAccepted: false } } }),
        ),
      check: {
        name: 'Claude Code',
        state: 'warn',
        message: /is not trusted yet/,
        fix: /Start claude there once/,
      },
    },
    {
      name: 'a hook got no input',
      ruin: ({ paths }) => {
        for (const hook of ['Stop', 'Stop'])
          writeSpoolFile(paths, { ...HEADER, hook }, 's1', Buffer.alloc(0));
      },
      check: {
        name: 'hook input',
        state: 'bad',
        message: /^Stop \(claude-code\) got no input on stdin/,
        fix: /cairn install/,
      },
      status: 1,
    },
    {
      name: 'events that could not be read',
      ruin: ({ paths }) => writeSpoolFile(paths, { ...HEADER, hook: 'Stop' }, 's1', Buffer.from('no JSON')),
      check: {
        name: 'torn events',
        state: 'warn',
        message: /^1 event could not be read/,
        fix: /deleted after a week/,
      },
    },
    {
      name: 'events that could not be spooled',
      ruin: ({ paths }) => writeFileSync(paths.failures, 'the disk is full\nthe disk is full\n'),
      check: {
        name: 'spool write',
        state: 'bad',
        message: /^the last 2 events were not kept: the disk/,
        fix: /writable/,
      },
      status: 1,
    },
    {
      name: 'a database of a newer Cairn',
      ruin: ({ paths }) => {
        const db = openDatabase(paths.database);
        db.exec('PRAGMA user_version = 900; PRAGMA wal_checkpoint(TRUNCATE)');
        db.close();
      },
      check: { name: 'database', state: 'bad', message: /Update Cairn/, fix: /safe in the spool/ },
      status: 1,
    },
    {
      name: 'a database that is not writable',
      ruin: ({ paths }) => mkdirSync(paths.database),
      check: {
        name: 'intake',
        state: 'bad',
        message: /^failed 1 time since just now/,
        fix: /Events are safe/,
      },
      status: 1,
    },
    {
      name: 'capture is paused',
      ruin: ({ paths }) => {
        mkdirSync(paths.paused);
        writeFileSync(join(paths.paused, 'all'), JSON.stringify({ what: 'everything', since: Date.now() }));
      },
      check: { name: 'paused', state: 'warn', message: 'everything, since just now', fix: /cairn unpause/ },
    },
    {
      name: 'a setting with a bad value',
      ruin: ({ paths }) => writeFileSync(paths.config, '{"log.level": "loud"}'),
      check: {
        name: 'settings',
        state: 'warn',
        message: /log\.level must be one of/,
        fix: 'Run: cairn config',
      },
    },
    {
      name: 'a slash command is gone',
      ruin: ({ settings }) => rmSync(join(settings, '../commands/cairn/handoff.md')),
      check: {
        name: 'slash commands',
        state: 'warn',
        message: /^1 of 6 are missing or old in /,
        fix: 'Run: cairn install claude-code',
      },
    },
    {
      name: 'a home that others can read',
      ruin: ({ paths }) => chmodSync(paths.home, 0o755),
      check: { name: 'home', state: 'warn', message: /can be read by others/, fix: /chmod 700/ },
    },
  ];
  test.each(troubles)('doctor suggests a fix: $name', async ({ ruin, check, status }) => {
    const person = installed();
    ruin(person);
    const { code, checks } = await doctor(person);
    const expected = Object.entries(check).map(([key, value]) => [
      key,
      value instanceof RegExp ? expect.stringMatching(value) : value,
    ]);
    expect(checks).toContainEqual(Object.fromEntries(expected));
    expect(code).toBe(check.state === 'bad' ? 1 : 2);
    if (status !== undefined) expect((await cairn(person, ['status'])).exitCode).toBe(status);
  });
});

const INSTALL = 'Run: cairn install claude-code';
const HEADER = { agent: 'claude-code', via: 'settings' };

interface Check {
  name: string;
  state: string;
  message: string;
  fix?: string;
}

interface Trouble {
  name: string;
  ruin: (person: Person) => void;
  check: { name: string; state: string; message: string | RegExp; fix: string | RegExp };
  /** The exit code of `cairn status`. */
  status?: number;
}

interface Person {
  paths: Paths;
  settings: string;
  project: string;
  meadow: string;
  env: Record<string, string>;
}

function makePerson(): Person {
  const root = mkdtempSync(join(folder, 'person-'));
  const home = join(root, 'home');
  const project = join(root, 'orchard');
  const meadow = join(root, 'meadow');
  for (const made of [home, project, meadow, join(root, 'runtime')]) mkdirSync(made);
  return {
    paths: pathsOf(join(home, '.cairn')),
    settings: join(home, '.claude', 'settings.json'),
    project,
    meadow,
    env: {
      PATH: process.env.PATH ?? '/usr/local/bin:/usr/bin:/bin',
      HOME: home,
      XDG_RUNTIME_DIR: join(root, 'runtime'),
      // The output of a command must not depend on the progress of a worker.
      CAIRN_NO_WORKER: '1',
    },
  };
}

/** A copy of one installation: its files contain the path of its own home, and no other path of the person. */
function installed(): Person {
  const person = makePerson();
  const [from, to] = [connected.env.HOME ?? '', person.env.HOME ?? ''];
  cpSync(from, to, { recursive: true });
  const commands = join(person.settings, '../commands/cairn');
  for (const file of [
    ...[person.settings, person.paths.captureScript, person.paths.launcher, join(to, '.claude.json')],
    ...readdirSync(commands).map((name) => join(commands, name)),
  ])
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll(from, to));
  return person;
}

/** Spools two sessions, one in each project. */
function withTwoSessions(person: Person): Person {
  const session = { session_id: 'orchard-session', prompt_id: 'p1' };
  spoolPrompt(person, 'orchard-session', person.project, 'prune the apple trees');
  for (const [hook, payload] of [
    ['PostToolUse', 'tools/PostToolUse.Bash'],
    ['Stop', 'events/Stop'],
    ['SessionEnd', 'events/SessionEnd.other'],
  ] as const)
    spool(person, hook, person.project, recorded(payload, session));
  spoolPrompt(person, 'meadow-session', person.meadow, 'mow the grass');
  return person;
}

function spoolPrompt(person: Person, session: string, projectDir: string, prompt: string): void {
  const changes = { session_id: session, prompt_id: 'p1', prompt };
  spool(person, 'UserPromptSubmit', projectDir, recorded('events/UserPromptSubmit', changes));
}

let serial = 0;

/** Events are ordered by the times of their files, which the file system keeps only roughly. */
function spool({ paths }: Person, hook: string, projectDir: string, payload: string): void {
  const name = writeSpoolFile(paths, { ...HEADER, hook, projectDir }, undefined, Buffer.from(payload));
  const seconds = Date.now() / 1000 - 10 + serial++ / 100;
  utimesSync(join(paths.spool, name), seconds, seconds);
}

function cairn(
  { project, env }: Person,
  args: string[],
  { env: more = {}, input = '' }: { env?: Record<string, string>; input?: string } = {},
): Promise<ProcessRun> {
  return runProgram(process.execPath, [cli, ...args], { cwd: project, env: { ...env, ...more }, input });
}

async function lines(person: Person, args: string[], env: Record<string, string> = {}): Promise<string[]> {
  const { stdout, stderr, exitCode } = await cairn(person, args, { env });
  expect({ stderr, exitCode }).toEqual({ stderr: '', exitCode: 0 });
  return stdout.trimEnd().split('\n');
}

async function doctor(person: Person): Promise<{ code: number | null; checks: Check[] }> {
  const { stdout, exitCode } = await cairn(person, ['doctor', '--json']);
  return { code: exitCode, checks: JSON.parse(stdout).checks };
}

function edit(file: string, pattern: RegExp, replacement: string): void {
  writeFileSync(
    file,
    readFileSync(file, 'utf8').replace(pattern, () => replacement),
  );
}
