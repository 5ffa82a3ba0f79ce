import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { registeredEvents } from '../../src/agents/claude-code/events.ts';
import { hookProgram, packageRoot, workerProgram } from '../../src/platform/installation.ts';
import { recorded, runProgram, SILENCE } from '../support/hook-call.ts';
import { tempFolder } from '../support/temp.ts';

/** Loaded into every node process: records and refuses every use of the network. */
const REFUSE_NETWORK = `
const fs = require('node:fs');
function refuse(what) {
  return () => {
    fs.appendFileSync(process.env.ATTEMPTS, what + ' by ' + process.argv.slice(1).join(' ') + '\\n');
    throw new Error('no network');
  };
}
require('node:net').Socket.prototype.connect = refuse('connect');
require('node:net').Server.prototype.listen = refuse('listen');
require('node:dgram').createSocket = refuse('datagram');
const dns = require('node:dns');
for (const owner of [dns, dns.promises])
  for (const name of Object.keys(owner))
    if (/^(lookup|resolve|reverse)/.test(name)) owner[name] = refuse('dns ' + name);
globalThis.fetch = refuse('fetch');
`;

/** The other hooks print nothing here, and only the first session gets a welcome. */
const ANSWERS: Record<string, unknown> = {
  SessionStart: expect.stringContaining('Cairn is on'),
  PreCompact: expect.stringContaining('Keep everything in this list'),
};

/** The recording with which each hook is called. */
const RECORDINGS: Record<string, string> = {
  Setup: 'events/Setup.init',
  SessionStart: 'events/SessionStart.startup',
  UserPromptSubmit: 'events/UserPromptSubmit',
  PreToolUse: 'tools/PreToolUse.Read',
  PermissionRequest: 'tools/PermissionRequest.ExitPlanMode.with-plan',
  PostToolUse: 'tools/PostToolUse.Bash',
  PostToolUseFailure: 'tools/PostToolUseFailure.Bash',
  PostToolBatch: 'events/PostToolBatch.single',
  SubagentStop: 'events/SubagentStop',
  PreCompact: 'events/PreCompact.manual',
  PostCompact: 'events/PostCompact.manual',
  Stop: 'events/Stop',
  StopFailure: 'events/StopFailure',
  SessionEnd: 'events/SessionEnd.other',
};

/** A command prefix that runs a program without a network, if this machine allows it. */
function withoutNetwork(): string[] {
  for (const flags of ['-n', '-rn']) {
    if (spawnSync('unshare', [flags, 'true']).status === 0) return ['unshare', flags];
  }
  return ['env'];
}

test('everything from install to doctor works without a network and never tries to use it', async () => {
  const root = tempFolder();
  const preload = join(root, 'refuse-network.cjs');
  const attempts = join(root, 'attempts');
  const project = join(root, 'project');
  mkdirSync(project);
  writeFileSync(preload, REFUSE_NETWORK);
  const [apart = 'env', ...flags] = withoutNetwork();
  const env = {
    PATH: process.env.PATH ?? '/usr/local/bin:/usr/bin:/bin',
    HOME: root,
    XDG_RUNTIME_DIR: root,
    CAIRN_NO_WORKER: '1',
    CLAUDECODE: '1',
    CLAUDE_PROJECT_DIR: project,
    ATTEMPTS: attempts,
    NODE_OPTIONS: `--require=${preload}`,
  };
  const run = (program: string, args: string[], input = '') =>
    runProgram(apart, [...flags, program, ...args], { cwd: project, env, input });
  const cairn = (...args: string[]) =>
    run(process.execPath, [join(packageRoot(), 'dist', 'cli.mjs'), ...args]);

  expect(await cairn('install', 'claude-code', '--yes')).toMatchObject({ exitCode: 0, stderr: '' });
  const settings = JSON.parse(readFileSync(join(root, '.claude', 'settings.json'), 'utf8'));
  for (const { event } of registeredEvents) {
    const input = recorded(RECORDINGS[event] ?? '', { session_id: 'offline', cwd: project });
    const expected = ANSWERS[event] ?? '';
    const ran = await run('/bin/sh', ['-c', settings.hooks[event][0].hooks[0].command], input);
    expect({ event, ...ran }).toEqual({ event, ...SILENCE, stdout: expected });
    // The shell program hides NODE_OPTIONS from our node, and with it the trap of this test.
    const byNode = [hookProgram(), 'claude-code', event, 'settings'];
    const again = event === 'SessionStart' ? '' : expected;
    expect(await run(process.execPath, byNode, input)).toEqual({ ...SILENCE, stdout: again });
  }
  expect(await run(process.execPath, [workerProgram(), 'drain'])).toEqual(SILENCE);

  const sessions = await cairn('sessions', '--json');
  expect(JSON.parse(sessions.stdout)).toMatchObject([{ agentSession: 'offline', prompts: 2 }]);
  expect(await cairn('show', 'offline', '--json')).toMatchObject({ exitCode: 0, stderr: '' });
  expect(await cairn('status')).toMatchObject({ exitCode: 0, stderr: '' });
  const doctor = JSON.parse((await cairn('doctor', '--json')).stdout);
  expect(doctor).toMatchObject({ state: 'ok' });
  expect(await cairn('worker', 'stop')).toMatchObject({ exitCode: 0, stderr: '' });
  expect(await cairn('uninstall', 'claude-code', '--yes')).toMatchObject({ exitCode: 0, stderr: '' });
  expect(existsSync(attempts)).toBe(false);

  // Proves that the trap works.
  await run(process.execPath, ['--eval', "require('node:http').get('http://127.0.0.1:9/')"]);
  expect(readFileSync(attempts, 'utf8')).toMatch(/^(connect|dns)/);
});
