import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { runSession } from '../support/claude-code.ts';
import { type CairnRun, makeRepository, runCairn } from '../support/run-cairn.ts';
import { mountSmallDisk } from '../support/small-disk.ts';
import { tempFolder } from '../support/temp.ts';
import { CLI, makeWorld, runIn } from '../support/world.ts';

/** status tells the truth about whether Cairn works, also by its exit code. */

let home: string;
let project: string;
let settings: string;

beforeEach(() => {
  home = tempFolder();
  project = makeRepository(join(home, 'project'));
  settings = join(home, '.claude/settings.json');
});

function cairn(...args: string[]): CairnRun {
  return runCairn({ home, cwd: project }, ...args);
}

/** Calls a hook as Claude Code does. */
function callHook(event: string, input: string): void {
  const { hooks } = JSON.parse(readFileSync(settings, 'utf8'));
  const { status } = spawnSync('sh', ['-c', hooks[event][0].hooks[0].command], {
    cwd: project,
    input,
    env: { HOME: home, PATH: process.env.PATH, CAIRN_NO_WORKER: '1', CLAUDECODE: '1' },
  });
  expect(status).toBe(0);
}

const stop = (session: string) =>
  JSON.stringify({
    session_id: session,
    hook_event_name: 'Stop',
    cwd: project,
    last_assistant_message: 'Done.',
  });

describe('status', () => {
  test('exits with 1 after uninstall, and with 0 after a new installation', () => {
    cairn('install', 'claude-code');
    callHook('Stop', stop('one'));
    expect(cairn('status')).toMatchObject({
      exitCode: 0,
      stderr: '',
      stdout: expect.stringContaining('\n  agents    Claude Code\n'),
    });
    cairn('uninstall', 'claude-code');
    const { exitCode, stdout } = cairn('status');
    expect(exitCode).toBe(1);
    expect(stdout).not.toContain('  agents  ');
    expect(stdout).toContain(
      `! Claude Code: not connected: there is no hook of Cairn in ${settings} → Run: cairn install claude-code\n`,
    );
    cairn('install', 'claude-code');
    expect(cairn('status').exitCode).toBe(0);
  });

  test('exits with 1 if another program has removed the hooks', () => {
    cairn('install', 'claude-code');
    writeFileSync(settings, '{}');
    expect(cairn('status').exitCode).toBe(1);
  });

  test('exits with 0 in another folder if Cairn is installed for one project', () => {
    cairn('install', 'claude-code', '--project');
    expect(runCairn({ home, cwd: home }, 'status').exitCode).toBe(0);
  });

  test('exits with 1 if the script of the hooks is gone, which doctor restores', () => {
    cairn('install', 'claude-code');
    const script = join(home, '.cairn/capture.sh');
    const before = readFileSync(script, 'utf8');
    rmSync(script);
    expect(cairn('status')).toMatchObject({
      exitCode: 1,
      stdout: expect.stringContaining(`! program: ${script} is missing → Run: cairn doctor\n`),
    });
    expect(cairn('doctor').stdout).toContain(`${script} written again`);
    expect(readFileSync(script, 'utf8')).toBe(before);
    expect(cairn('status').exitCode).toBe(0);
  });

  test('exits with 1 if hooks cannot write events, and no command prints a stack trace', ({ skip }) => {
    const disk = mountSmallDisk();
    if (disk === null) return skip('no right to mount a small disk here');
    try {
      const CAIRN_HOME = join(disk.folder, '.cairn');
      const there = (...args: string[]) => runCairn({ home, cwd: project, env: { CAIRN_HOME } }, ...args);
      there('install', 'claude-code', '--link');
      expect(there('status').exitCode).toBe(0);
      disk.fill();
      expect(there('status')).toMatchObject({
        exitCode: 1,
        stdout: expect.stringContaining('! disk: only 0.0 MB free'),
      });
      const changes = [['config', 'set', 'log.level', 'debug'], ['pause'], ['remember', 'Plums need sun.']];
      for (const args of changes)
        expect(there(...args)).toEqual({
          exitCode: 1,
          stdout: '',
          stderr: 'cairn: The disk is full. Free some space and try again.\n',
        });
      disk.makeReadOnly();
      expect(there('status')).toMatchObject({
        exitCode: 1,
        stdout: expect.stringContaining(`! home: ${CAIRN_HOME} cannot be written`),
      });
      for (const args of changes) expect(there(...args).stderr).not.toMatch(/^ {4}at /m);
      expect(there('pause').stderr).toMatch(
        /^cairn: .+ cannot be used: it is on a read-only file system\.\n$/,
      );
    } finally {
      disk.remove();
    }
  });

  test.each(['cairn_node', 'cairn_hook'])('exits with 1 if %s is gone', (name) => {
    cairn('install', 'claude-code');
    const script = join(home, '.cairn/capture.sh');
    writeFileSync(
      script,
      readFileSync(script, 'utf8').replace(new RegExp(`^${name}=.*$`, 'm'), `${name}='/gone'`),
    );
    const { exitCode, stdout } = cairn('status');
    expect(exitCode).toBe(1);
    expect(stdout).toMatch(
      /^! (interpreter|program): \/gone is missing → Run: cairn (doctor|install claude-code)$/m,
    );
    cairn('install', 'claude-code');
    expect(cairn('status').exitCode).toBe(0);
  });
});

describe('a hook with nothing on stdin', () => {
  beforeEach(() => {
    cairn('install', 'claude-code');
  });

  test('is ignored the first time', () => {
    callHook('Stop', '');
    expect(cairn('status').exitCode).toBe(0);
  });

  test('is a problem if repeated, until any hook gets input again', () => {
    for (const event of ['Stop', 'PostToolUse']) callHook(event, '');
    expect(cairn('status')).toMatchObject({
      exitCode: 1,
      stdout: expect.stringContaining('no input on stdin'),
    });
    callHook('Stop', stop('two'));
    expect(cairn('status').exitCode).toBe(0);
  });

  test('is no longer a problem after a new installation', () => {
    for (const event of ['Stop', 'Stop']) callHook(event, '');
    expect(cairn('status').exitCode).toBe(1);
    cairn('install', 'claude-code');
    expect(cairn('status').exitCode).toBe(0);
  });
});

describe('settings that Claude Code ignores', () => {
  const commented = '{\n  // mine\n  "model": "opus", /* the big one */\n  "env": { "A": "1", },\n}\n';

  beforeEach(() => {
    mkdirSync(join(home, '.claude'));
    writeFileSync(settings, commented);
  });

  test('stop the installation, with line and column', () => {
    for (const args of [[], ['--dry-run'], ['--yes'], ['--json']])
      expect(cairn('install', 'claude-code', ...args)).toEqual({
        exitCode: 1,
        stdout: '',
        stderr: expect.stringMatching(/settings\.json:2:3: a comment is not allowed: .+ --fix-settings;/),
      });
    expect(readFileSync(settings, 'utf8')).toBe(commented);
  });

  test('are corrected with --fix-settings, and uninstall restores the original bytes', () => {
    const shown = cairn('install', 'claude-code', '--fix-settings', '--dry-run');
    expect(shown.stdout).toContain('-  // mine\n');
    expect(readFileSync(settings, 'utf8')).toBe(commented);

    const { exitCode, stdout } = cairn('install', 'claude-code', '--fix-settings');
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: expect.stringContaining('-  // mine\n') });
    expect(JSON.parse(readFileSync(settings, 'utf8'))).toMatchObject({
      model: 'opus',
      env: { A: '1' },
      hooks: { Stop: expect.any(Array) },
    });
    expect(cairn('status').exitCode).toBe(0);
    cairn('uninstall', 'claude-code');
    expect(readFileSync(settings, 'utf8')).toBe(commented);
  });

  test('are reported by status and doctor after an installation', () => {
    cairn('install', 'claude-code', '--fix-settings');
    const text = readFileSync(settings, 'utf8');
    writeFileSync(settings, text.replace('"model"', '// again\n  "model"'));
    const fix = 'Run: cairn install claude-code --fix-settings';
    for (const command of ['status', 'doctor']) {
      const { exitCode, stdout } = cairn(command);
      expect(exitCode).toBe(1);
      expect(stdout).toContain(
        'settings.json:2:3: a comment is not allowed, so Claude Code ignores the whole file',
      );
      expect(stdout).toContain(fix);
    }
  });

  // The client also ignores a file with a value of the wrong type, but accepts unknown settings.
  test.each([
    ['"model": 5', '"model" must be a string'],
    ['"cleanupPeriodDays": 0', '"cleanupPeriodDays" must be a whole number of at least 1'],
    ['"permissions": { "allow": "Bash" }', '"permissions.allow" must be an array'],
    ['"somethingNew": 5', null],
  ])('include a wrong value: %s', async (setting, says) => {
    const world = await makeWorld();
    const file = join(world.home, '.claude/settings.json');
    const install = () => runIn(world, process.execPath, [CLI, 'install', 'claude-code']);
    try {
      await install();
      writeFileSync(file, readFileSync(file, 'utf8').replace('{', `{ ${setting},`));
      const { exitCode } = await runIn(world, process.execPath, [CLI, 'status']);
      const { sessionId } = await runSession(world, {
        script: { main: [[{ text: 'Hello.' }]] },
        prompts: ['Hello'],
        settings: {},
      });
      const { stdout } = await runIn(world, process.execPath, [CLI, 'sessions', '--all', '--json']);
      expect({ isHealthy: exitCode === 0, isCaptured: stdout.includes(sessionId) }).toEqual({
        isHealthy: says === null,
        isCaptured: says === null,
      });
      const again = await install();
      expect(again.exitCode).toBe(says === null ? 0 : 1);
      expect(again.stderr).toContain(
        says === null ? '' : `${says}; as it is, Claude Code ignores the whole file`,
      );
    } finally {
      await world.remove();
    }
  });
});
