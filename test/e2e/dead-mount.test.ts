import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listSpool } from '../../src/capture/spool.ts';
import { workerProgram } from '../../src/platform/installation.ts';
import { storedRows, withDatabase } from '../support/home-watch.ts';
import {
  callHook,
  type HookWorld,
  makeHookWorld,
  recorded,
  runProgram,
  SILENCE,
} from '../support/hook-call.ts';

/** A real file system whose server does not answer: bindfs, stopped. */
const canMount = spawnSync('bindfs', ['--version']).status === 0 && process.getuid?.() === 0;

describe.skipIf(!canMount)('a project on a mount that does not answer', () => {
  let folder: string;
  let world: HookWorld;
  let mount: string;
  let server: ChildProcess;

  beforeAll(async () => {
    // Not `tempFolder`: its removal after each test would wait for the mount.
    folder = mkdtempSync(join(tmpdir(), 'cairn-dead-mount-'));
    world = makeHookWorld(folder);
    mount = join(world.root, 'mount');
    const behind = join(world.root, 'behind');
    for (const made of [mount, behind, join(behind, 'project')]) mkdirSync(made);
    server = spawn('bindfs', ['-f', behind, mount], { stdio: 'ignore' });
    for (let tries = 0; tries < 500 && readdirSync(mount).length === 0; tries++) await wait(10);
    expect(readdirSync(mount)).toEqual(['project']);
    // Captured while the mount still answers.
    await capture('SessionStart', 'events/SessionStart.startup', 'earlier');
    await drain();
    server.kill('SIGSTOP');
  });

  afterAll(() => {
    server?.kill('SIGCONT');
    server?.kill('SIGTERM');
    spawnSync('umount', ['-l', mount]);
    rmSync(folder, { recursive: true, force: true });
  });

  test.each([
    ['SessionStart', 'events/SessionStart.startup'],
    ['UserPromptSubmit', 'events/UserPromptSubmit'],
    ['PreCompact', 'events/PreCompact.manual'],
    ['PostToolUse', 'tools/PostToolUse.Bash'],
  ])('%s prints nothing, and its event is kept', async (event, payload) => {
    const before = listSpool(world.paths).length;
    expect(await capture(event, payload, 'dead')).toEqual(SILENCE);
    expect(listSpool(world.paths)).toHaveLength(before + 1);
  });

  test('its events are stored in its project, and do not delay others', async () => {
    const input = recorded('tools/PostToolUse.Bash', { session_id: 'healthy', tool_use_id: 'healthy' });
    expect(await callHook(world, 'shell', 'PostToolUse', { input })).toEqual(SILENCE);
    await drain();
    expect(listSpool(world.paths)).toEqual([]);
    expect(storedRows(world).map(({ key }) => key)).toContain('healthy');
    const projects = withDatabase(world, (db) =>
      db.prepare("SELECT DISTINCT project_id FROM sessions WHERE agent_session IN ('earlier', 'dead')").all(),
    );
    expect(projects).toHaveLength(1);
  });

  test('the worker continues with other projects and exits', async () => {
    const input = recorded('events/Stop', { session_id: 'dead' });
    await callHook(world, 'shell', 'Stop', { input, env: { CLAUDE_PROJECT_DIR: join(mount, 'project') } });
    const env = { ...world.env, CAIRN_NO_WORKER: '' };
    const run = await runProgram(process.execPath, [workerProgram(), 'drain'], { cwd: world.project, env });
    expect(run).toEqual(SILENCE);
    expect(listSpool(world.paths)).toEqual([]);
  });

  function capture(event: string, payload: string, session: string) {
    const project = join(mount, 'project');
    const input = recorded(payload, { session_id: session, cwd: project });
    return callHook(world, 'shell', event, { input, env: { CLAUDE_PROJECT_DIR: project } });
  }

  async function drain(): Promise<void> {
    const run = { cwd: world.project, env: world.env };
    expect(await runProgram(process.execPath, [workerProgram(), 'drain'], run)).toEqual(SILENCE);
  }
});
