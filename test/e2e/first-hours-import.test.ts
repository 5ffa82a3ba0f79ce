import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { packageRoot } from '../../src/platform/installation.ts';
import { type Paths, pathsOf } from '../../src/platform/paths.ts';
import { findRunningWorker, requestStop } from '../../src/worker/worker-note.ts';
import { runSession } from '../support/claude-code.ts';
import { contextsIn } from '../support/contexts.ts';
import { runProgram } from '../support/hook-call.ts';
import { makeRepository, runCairn } from '../support/run-cairn.ts';
import { tempFolder } from '../support/temp.ts';
import { until } from '../support/until.ts';
import { cairn, makeWorld } from '../support/world.ts';

let paths: Paths;

afterEach(endWorker);

/** Repeats the request: a worker that a hook has just started clears it. */
async function endWorker(): Promise<void> {
  await until('the worker ends', () => {
    if (findRunningWorker(paths) === null) return true;
    requestStop(paths);
    return undefined;
  });
}

test('an import into a new home is distilled in the background', async () => {
  const home = tempFolder();
  paths = pathsOf(join(home, '.cairn'));
  const transcripts = join(packageRoot(), 'src/agents/claude-code/payloads/transcripts');
  cpSync(transcripts, join(home, '.claude/projects'), { recursive: true });

  const child = spawn(process.execPath, [join(packageRoot(), 'dist/cli.mjs'), 'import', 'claude-code'], {
    cwd: home,
    stdio: 'ignore',
    env: { HOME: home, PATH: process.env.PATH },
  });
  expect(await once(child, 'close')).toEqual([0, null]);

  // Only the worker that the import has started can distil: runCairn starts none.
  const summaries = await until('the imported sessions are distilled', () => {
    const { stdout } = runCairn({ home }, 'recent', '--all', '--json');
    const entries: unknown[] = stdout === '' ? [] : JSON.parse(stdout);
    return Array.isArray(entries) && entries.length > 0 ? entries : undefined;
  });
  expect(summaries.length).toBeGreaterThan(0);
  const log = readdirSync(paths.logs).map((name) => readFileSync(join(paths.logs, name), 'utf8'));
  expect(log.join('')).toContain('worker started');
});

test('a recent session is imported, and the first session with Cairn gets it', async () => {
  const world = await makeWorld();
  paths = pathsOf(join(world.home, '.cairn'));
  const login = { file_path: join(world.project, 'login.txt'), content: '429\n' };
  try {
    await runSession(world, {
      script: { main: [[{ tool: 'Write', input: login }], [{ text: 'The login answers 429 now.' }]] },
      prompts: ['Throttle the login of the shop after five attempts'],
    });
    expect(await cairn(world, 'import', 'claude-code')).toBe(
      'Imported 1 prompt and 1 tool call (4 events) of 1 session.\n',
    );
    await until('it is distilled', async () =>
      (await cairn(world, 'recent', '--json')).includes('Throttle the login') ? true : undefined,
    );
    await cairn(world, 'install', 'claude-code');
    const first = await runSession(world, { script: { main: [[{ text: 'Yes.' }]] }, prompts: ['Go on'] });
    expect(JSON.stringify(first.printed)).toContain('Cairn is on. ');
    const given = contextsIn(first.requests.find(({ queue }) => queue === 'main')?.body.messages).join('\n');
    expect(given).toContain('Throttle the login of the shop after five attempts');
  } finally {
    await endWorker();
    await world.remove();
  }
});

test('the first session gets the welcome, and a memory from before it', async () => {
  const home = tempFolder();
  paths = pathsOf(join(home, '.cairn'));
  const project = makeRepository(join(home, 'orchard'));
  runCairn({ home, cwd: project }, 'remember', '--pin', 'Plums need sun.');
  const { stdout } = await runProgram(
    process.execPath,
    [join(packageRoot(), 'dist/hook.cjs'), 'claude-code', 'SessionStart', 'settings'],
    {
      cwd: project,
      env: { HOME: home, PATH: process.env.PATH ?? '', CAIRN_NO_WORKER: '1' },
      input: JSON.stringify({
        ...{ session_id: 'first', hook_event_name: 'SessionStart', source: 'startup', cwd: project },
      }),
    },
  );
  const reply = JSON.parse(stdout);
  expect(reply.systemMessage).toMatch(/^Cairn is on\. /);
  expect(reply.hookSpecificOutput.additionalContext).toContain('Plums need sun');
});
