import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { prepareHome } from '../../src/capture/home.ts';
import { writeSpoolFile } from '../../src/capture/spool.ts';
import { pathsOf } from '../../src/platform/paths.ts';
import { cairn } from '../support/home-watch.ts';
import { callHook, type HookWorld, makeHookWorld } from '../support/hook-call.ts';
import { makeRepository, runCairn } from '../support/run-cairn.ts';
import { tempFolder } from '../support/temp.ts';

/** A prompt joins a pending work item only if it is about the same subject. */

const PLAN =
  '# Readable parser errors\n\n1. Add a source location to every token\n2. Show a caret\n\nCheck: `npm test`';

let home: string;
let project: string;

beforeEach(() => {
  home = tempFolder();
  project = makeRepository(join(home, 'project'));
  hook('first', 'UserPromptSubmit', { prompt: 'Make the parser errors readable', permission_mode: 'plan' });
  const call = { tool_name: 'ExitPlanMode', tool_use_id: 'plan', tool_input: { plan: PLAN } };
  hook('first', 'PreToolUse', call);
  hook('first', 'PostToolUse', { ...call, tool_response: { plan: PLAN } });
  hook('first', 'SessionEnd', { reason: 'clear' });
});

function hook(session: string, event: string, fields: object): void {
  writeSpoolFile(
    pathsOf(join(home, '.cairn')),
    { agent: 'claude-code', hook: event, via: 'settings', projectDir: project },
    session,
    Buffer.from(JSON.stringify({ session_id: session, hook_event_name: event, cwd: project, ...fields })),
  );
}

function workItems(): { title: string; mode: string }[] {
  // Any command ingests the spool and updates the work items.
  runCairn({ home, cwd: project }, 'remember', 'Something.');
  return JSON.parse(runCairn({ home, cwd: project }, 'work', 'list', '--json').stdout);
}

test.each([
  ['Upgrade npm on the build machine', 2],
  ['Which tokens does the staging server accept for deploys?', 2],
  ['Rename the parser package to grammar', 2],
  ['continue', 1],
  ['ok, do step 2', 1],
  ['show the caret under the token', 1],
])('the prompt "%s" gives %i work items', (prompt, count) => {
  expect(workItems()).toMatchObject([{ mode: 'has_plan' }]);
  hook('second', 'UserPromptSubmit', { prompt });
  expect(workItems()).toHaveLength(count);
});

test('a work item has the title of its accepted plan', () => {
  expect(workItems()).toMatchObject([{ title: 'Readable parser errors', name: 'parser-errors-readable' }]);
});

describe('a prompt that joins a work item', () => {
  let world: HookWorld;

  beforeEach(() => {
    world = { ...makeHookWorld(home), project };
    world.env.CLAUDE_PROJECT_DIR = project;
    rmSync(world.home, { recursive: true });
    cpSync(join(home, '.cairn'), world.home, { recursive: true, preserveTimestamps: true });
    prepareHome(world.home, process.env.PATH);
    writeFileSync(join(world.paths.state, 'welcomed'), '');
  });

  const say = async (session: string, event: string, fields: object) => {
    const common = { session_id: session, hook_event_name: event, cwd: project };
    const { stdout } = await callHook(world, 'shell', event, {
      input: JSON.stringify({ ...common, ...fields }),
      env: { CLAUDE_CODE_SESSION_ID: session },
    });
    return stdout === '' ? {} : JSON.parse(stdout);
  };
  const command = async (...args: string[]) => {
    const { stdout, stderr } = await cairn(world, ...args);
    return stdout + stderr;
  };
  const listed = async () =>
    JSON.parse(await command('work', 'list', '--json')).map(
      ({ title, mode }: { title: string; mode: string }) => `${title} (${mode})`,
    );
  const NOT_LEFT = 'Readable parser errors (has_plan)';

  test('is reported to the person, who can undo it for good', async () => {
    await command('work', 'list');
    const start = await say('second', 'SessionStart', { source: 'startup' });
    expect(start.systemMessage).toMatch(/the work item parser-errors-readable.*cairn work leave/);
    const joined = await say('second', 'UserPromptSubmit', { prompt: 'show the caret under the token' });
    expect(joined.systemMessage).toMatch(/joined the work item parser-errors-readable\. Undo: .*work leave/);
    expect(await listed()).toEqual(['Readable parser errors (active)']);

    expect(await command('work', 'leave')).toMatch(
      /^Session second left parser-errors-readable\. It now works on/,
    );
    expect(await listed()).toEqual(
      expect.arrayContaining([NOT_LEFT, 'show the caret under the token (active)']),
    );

    const next = await say('second', 'UserPromptSubmit', { prompt: 'add a source location to every token' });
    expect(next.systemMessage).toBeUndefined();
    expect(await listed()).toContain(NOT_LEFT);
    expect(await command('work', 'leave')).toContain('Session second created');
  });

  test('without a subject: after cairn work leave the session has no work item, and does not join again', async () => {
    await command('work', 'list');
    await say('second', 'UserPromptSubmit', { prompt: 'continue' });
    expect(await listed()).toEqual(['Readable parser errors (active)']);
    expect(await command('work', 'leave', '--session', 'second')).toMatch(
      /^Session second left [\w-]+\. Undo:/,
    );
    await say('second', 'UserPromptSubmit', { prompt: 'continue' });
    expect(await listed()).toEqual([NOT_LEFT]);
    expect(await command('work', 'switch', 'parser-errors-readable', '--session', 'second')).toContain(
      'now works on',
    );
    expect(await listed()).toEqual(['Readable parser errors (active)']);
  });

  test('does not join after cairn work leave', async () => {
    await command('work', 'list');
    await say('second', 'SessionStart', { source: 'startup' });
    expect(await command('work', 'leave')).toMatch(/^Session second left parser-errors-readable\./);
    const { systemMessage } = await say('second', 'UserPromptSubmit', { prompt: 'continue' });
    expect(systemMessage).toBeUndefined();
    expect(await listed()).toEqual([NOT_LEFT]);
  });
});
