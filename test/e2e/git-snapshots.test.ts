import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { writeSpoolFile } from '../../src/capture/spool.ts';
import type { GitSnapshot } from '../../src/model/work.ts';
import { workerProgram } from '../../src/platform/installation.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import { type HookWorld, makeHookWorld } from '../support/hook-call.ts';
import { makeRepository } from '../support/run-cairn.ts';
import { tempFolder } from '../support/temp.ts';
import { until } from '../support/until.ts';

/** The state of the checkout at a session's start, at its end and with a handoff, as the worker gets it from git. */

const SESSION = 'grafting';

let world: HookWorld;
let transcript: string;
let worker: ChildProcess | undefined;

beforeEach(() => {
  world = makeHookWorld(tempFolder());
  transcript = join(world.root, 'transcript.jsonl');
  writeFileSync(transcript, '');
  makeRepository(world.project);
});

afterEach(async () => {
  if (!worker) return;
  const hasEnded = once(worker, 'exit');
  if (worker.kill('SIGKILL')) await hasEnded;
  worker = undefined;
});

test('git is queried at the start of a session, with a handoff and at its end', async () => {
  const first = commit('apples.md');
  spool('SessionStart', { source: 'startup' });
  spool('UserPromptSubmit', { prompt: 'Graft the pear trees of the orchard' });
  worker = spawn(process.execPath, [workerProgram()], { env: world.env, stdio: 'ignore' });
  const of = { agentSession: SESSION, workId: 1, folder: world.project, at: expect.any(Number) };
  const clean = { branch: 'main', head: first, dirty: [], moreDirty: 0 };
  const start = { moment: 'start', ...of, state: clean };
  expect(await statesWith('start')).toEqual([start]);

  writeFileSync(join(world.project, 'pears.md'), '');
  fillWindow();
  spool('PostToolUse', { tool_name: 'Bash', tool_use_id: 'call', tool_input: { command: 'true' } });
  const handoff = { moment: 'handoff', ...of, state: { ...clean, dirty: ['pears.md'] } };
  expect(await statesWith('handoff')).toEqual([handoff, start]);

  const second = commit('pears.md');
  writeFileSync(join(world.project, 'figs.md'), '');
  spool('SessionEnd', { reason: 'other' });
  const end = { moment: 'end', ...of, state: { ...clean, head: second, dirty: ['figs.md'] } };
  expect(await statesWith('end')).toEqual([end, handoff, start]);
});

/** Spools an event as a hook does. */
function spool(hook: string, fields: object): void {
  const payload = {
    ...{ session_id: SESSION, hook_event_name: hook, cwd: world.project, transcript_path: transcript },
    ...fields,
  };
  const header = { agent: 'claude-code', hook, via: 'settings', projectDir: world.project };
  writeSpoolFile(world.paths, header, SESSION, Buffer.from(JSON.stringify(payload)));
}

/** Fills the window far enough for the meter to save a handoff. */
function fillWindow(): void {
  const message = {
    role: 'assistant',
    model: 'claude-opus-5-5',
    content: [],
    usage: { input_tokens: 950_000 },
  };
  writeFileSync(transcript, `${JSON.stringify({ type: 'assistant', sessionId: SESSION, message })}\n`);
}

function commit(file: string): string {
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=Robin', '-c', 'user.email=robin@example.invalid', ...args], {
      cwd: world.project,
      encoding: 'utf8',
    }).trim();
  writeFileSync(join(world.project, file), '');
  git('add', file);
  git('commit', '-qm', file);
  return git('rev-parse', 'HEAD');
}

/** All git states, the latest first, as soon as there is one for this moment. */
function statesWith(moment: GitSnapshot['moment']): Promise<GitSnapshot[]> {
  return until(`git is asked at the ${moment}`, () => {
    const store = openSqliteStore(world.paths.database);
    try {
      const states = store.listGitStates(1, 9);
      return states.some((state) => state.moment === moment) ? states : undefined;
    } finally {
      store.close();
    }
  });
}
