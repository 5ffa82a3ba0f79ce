import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { installHooksLibrary, type ProcessRun, run } from '../../test/support/hooks-library.ts';
import { allEvents } from '../agents/claude-code/reply-rules.ts';
import { block, type HookHandlers } from './sdk.ts';

const folder = mkdtempSync(join(tmpdir(), 'cairn-sdk-'));
beforeAll(() => installHooksLibrary(folder));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const silence: ProcessRun = { stdout: '', stderr: '', exitCode: 0 };
const complaint = (what: string): ProcessRun => ({
  ...silence,
  stderr: `cairn-memory/hooks: ${what}\n`,
});
const json = (value: unknown): ProcessRun => ({ ...silence, stdout: `${JSON.stringify(value)}\n` });
const specific = (hookEventName: string, fields: object) =>
  json({ hookSpecificOutput: { hookEventName, ...fields } });

describe("the handler's return value reaches the agent", () => {
  test.each([
    [
      'context',
      'SessionStart',
      `() => context('hello')`,
      specific('SessionStart', { additionalContext: 'hello' }),
    ],
    ['a notice', 'Stop', `() => notice('done')`, json({ systemMessage: 'done' })],
    [
      'a block before a tool',
      'PreToolUse',
      `() => block('not here', 'use a branch')`,
      specific('PreToolUse', {
        permissionDecision: 'deny',
        permissionDecisionReason: 'not here',
        additionalContext: 'use a branch',
      }),
    ],
    [
      'a block of a prompt',
      'UserPromptSubmit',
      `() => block('no')`,
      json({ decision: 'block', reason: 'no' }),
    ],
    [
      'a block after a tool',
      'PostToolUse',
      `() => block('red')`,
      { ...silence, stderr: 'red\n', exitCode: 2 },
    ],
    [
      'a block of a permission request',
      'PermissionRequest',
      `() => block('no')`,
      specific('PermissionRequest', { decision: { behavior: 'deny', message: 'no' } }),
    ],
    [
      'a block where nothing can be blocked',
      'SessionEnd',
      `() => block('stay')`,
      complaint('left out block: not supported on SessionEnd'),
    ],
    [
      'a permission with a changed input',
      'PreToolUse',
      `() => permission('allow', { updatedInput: { command: 'ls' } })`,
      specific('PreToolUse', { permissionDecision: 'allow', updatedInput: { command: 'ls' } }),
    ],
    [
      'a replaced output',
      'PostToolUse',
      `() => output({ stdout: 'short' })`,
      specific('PostToolUse', { updatedToolOutput: { stdout: 'short' } }),
    ],
    [
      'several replies from an async handler',
      'UserPromptSubmit',
      `async () => { await new Promise((done) => setTimeout(done, 20)); return all(context('a'), context('b')); }`,
      specific('UserPromptSubmit', { additionalContext: 'a\n\nb' }),
    ],
    ['an empty reply', 'Stop', `() => nothing`, silence],
    ['no return value', 'Stop', `async () => {}`, silence],
    [
      'a field of the event',
      'Stop',
      `(event) => notice(event.session_id)`,
      json({ systemMessage: 'recorded' }),
    ],
    [
      'a handler called as a method',
      'Stop',
      `function () { return notice(String('Stop' in this)); }`,
      json({ systemMessage: 'true' }),
    ],
  ])('%s', async (_name, event, handler, expected) => {
    expect(await runHook(`hook({ ${event}: ${handler} });`, eventText(event))).toEqual(expected);
  });

  test('a context of 10,000 characters', async () => {
    const text = 'ü'.repeat(10_000);
    const result = await runHook(
      `hook({ SessionStart: () => context('ü'.repeat(10_000)) });`,
      eventText('SessionStart'),
    );
    expect(result).toEqual(specific('SessionStart', { additionalContext: text }));
  });
});

describe('the agent sees no errors', () => {
  const say = `hook({ Stop: () => notice('said') });`;

  test.each([
    [
      'empty input',
      say,
      '',
      complaint('stdin does not contain an event (a JSON object with a hook_event_name)'),
    ],
    [
      'unreadable input',
      say,
      '{"hook',
      complaint('stdin does not contain an event (a JSON object with a hook_event_name)'),
    ],
    [
      'input that is not an object',
      say,
      '[1]',
      complaint('stdin does not contain an event (a JSON object with a hook_event_name)'),
    ],
    [
      'an event without a handler',
      say,
      eventText('SessionEnd'),
      complaint('there is no handler for SessionEnd'),
    ],
    ['an unknown event', say, eventText('Teatime'), complaint('there is no handler for Teatime')],
    [
      'an event with an inherited name',
      say,
      eventText('toString'),
      complaint('there is no handler for toString'),
    ],
    [
      'a handler for an unknown event',
      `hook({ Teatime: () => notice('tea') });`,
      eventText('Teatime'),
      complaint('left out notice: not supported on Teatime'),
    ],
    [
      'a string instead of a reply',
      `hook({ Stop: () => 'done' });`,
      eventText('Stop'),
      complaint('a handler returns a reply such as context(text), not string'),
    ],
    [
      "the agent's own JSON instead of a reply",
      `hook({ Stop: () => ({ systemMessage: 'done' }) });`,
      eventText('Stop'),
      complaint('a handler returned a reply with a wrong systemMessage'),
    ],
    [
      'a reply with a wrong part',
      `hook({ Stop: () => ({ notice: 'a', block: 'b' }) });`,
      eventText('Stop'),
      complaint('a handler returned a reply with a wrong block'),
    ],
    [
      'a budget that is used up',
      `hook({ Stop: () => new Promise(() => {}) }, { budgetMs: 50 });`,
      eventText('Stop'),
      complaint('no answer within 50 ms'),
    ],
    [
      'an input that never ends',
      `hook({ Stop: () => notice('said') }, { budgetMs: 50 });`,
      null,
      complaint('no answer within 50 ms'),
    ],
    [
      'a handler that exits',
      `hook({ Stop: () => process.exit(1) });`,
      eventText('Stop'),
      complaint('Error: the process ended before the hook had answered'),
    ],
    [
      'stray output on both streams',
      `hook({ Stop: () => { console.log('hi'); console.error('warning'); return notice('said'); } });`,
      eventText('Stop'),
      { ...json({ systemMessage: 'said' }), stderr: 'cairn-memory/hooks: kept 3 stray bytes off stdout\n' },
    ],
    [
      'stray output before a block',
      `hook({ PostToolUse: () => { console.error('3 tests failed'); return block('mend them'); } });`,
      eventText('PostToolUse'),
      { stdout: '', stderr: '3 tests failed\nmend them\n', exitCode: 2 },
    ],
  ])('%s', async (_name, script, input, expected) => {
    const result = await runHook(script, input);
    expect({ ...result, stderr: withoutStack(result.stderr) }).toEqual(expected);
  });

  test.each([
    ['a handler that throws', `hook({ Stop() { throw new TypeError('broken'); } });`],
    ['a promise that is rejected', `hook({ Stop: async () => { throw new TypeError('broken'); } });`],
    [
      'an error in a callback',
      `hook({ Stop: () => new Promise(() => setTimeout(() => { throw new TypeError('broken'); })) });`,
    ],
  ])('%s', async (_name, script) => {
    const result = await runHook(script, eventText('Stop'));
    expect({ ...result, stderr: withoutStack(result.stderr) }).toEqual(complaint('TypeError: broken'));
    expect(result.stderr).toContain('hook.mjs:');
  });

  test('a hook call with CAIRN_GUARD set ends at once', async () => {
    const result = await runHook(say, eventText('Stop'), { CAIRN_GUARD: '1' });
    expect(result).toEqual(silence);
  });
});

test('the library can be loaded with require', async () => {
  writeFileSync(
    join(folder, 'hook.cjs'),
    `const { hook, notice, GUARD_VARIABLE } = require('cairn-memory/hooks');
     hook({ Stop: () => notice(GUARD_VARIABLE) });`,
  );
  const result = await run(process.execPath, ['hook.cjs'], { cwd: folder, input: eventText('Stop') });
  expect(result).toEqual(json({ systemMessage: 'CAIRN_GUARD' }));
});

test('handlers know the fields of their event', () => {
  const handlers: HookHandlers = {
    Stop: async () => {},
    PreToolUse({ tool_input: { command }, tool_use_id }) {
      return typeof command === 'string' ? block(command, tool_use_id) : undefined;
    },
  };
  const event = {
    hook_event_name: 'PreToolUse',
    session_id: 's',
    transcript_path: '',
    cwd: '',
    tool_name: 'Bash',
  };
  expect(handlers.PreToolUse?.({ ...event, tool_input: { command: 'ls' }, tool_use_id: 'id' })).toEqual({
    block: { reason: 'ls' },
    context: 'id',
  });
});

test('every event of the agent has a type', () => {
  const source = readFileSync(new URL('sdk-events.ts', import.meta.url), 'utf8');
  const list = source.slice(source.indexOf('interface HookEvents {'), source.indexOf('\n}'));
  const typed = [...list.matchAll(/^ {2}(\w+): /gm)].map((match) => match[1]);
  expect(typed.toSorted()).toEqual(allEvents.toSorted());
});

function eventText(hookEventName: string): string {
  return JSON.stringify({ hook_event_name: hookEventName, session_id: 'recorded', cwd: '.', tool_input: {} });
}

function runHook(
  script: string,
  input: string | null,
  env: Record<string, string> = {},
): Promise<ProcessRun> {
  writeFileSync(
    join(folder, 'hook.mjs'),
    `import { all, block, context, hook, notice, nothing, output, permission } from 'cairn-memory/hooks';\n${script}`,
  );
  return run(process.execPath, ['hook.mjs'], { cwd: folder, input, env });
}

function withoutStack(text: string): string {
  return text.replaceAll(/^ +at .*\n/gm, '');
}
