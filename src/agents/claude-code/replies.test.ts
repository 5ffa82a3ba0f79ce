import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { HookReply } from '../../model/hook-reply.ts';
import type { JsonObject } from '../../model/json.ts';
import { validateOutput } from '../dialect/reply-rules.ts';
import { claudeCode } from './adapter.ts';
import { allEvents, replyTable } from './reply-rules.ts';

const { print: printReply, blockIsFeedback: isBlockFeedback } = claudeCode;

const silence = { stdout: '', stderr: '', exitCode: 0, leftOut: [] };

/** One line of JSON and nothing else. */
function line(output: JsonObject, leftOut: string[] = []): object {
  return { stdout: `${JSON.stringify(output)}\n`, stderr: '', exitCode: 0, leftOut };
}

function specific(hookEventName: string, fields: JsonObject): JsonObject {
  return { hookSpecificOutput: { hookEventName, ...fields } };
}

const block = { reason: 'no' };

describe('one reply at one event', () => {
  test.each<[string, string, HookReply, object]>([
    ['an empty reply', 'SessionStart', {}, silence],
    ['empty texts', 'SessionStart', { context: '', notice: '' }, silence],
    ['context', 'SessionStart', { context: 'c' }, line(specific('SessionStart', { additionalContext: 'c' }))],
    [
      'context and notice',
      'UserPromptSubmit',
      { context: 'c', notice: 'n' },
      line({ systemMessage: 'n', ...specific('UserPromptSubmit', { additionalContext: 'c' }) }),
    ],
    ['notice', 'SessionEnd', { notice: 'n' }, line({ systemMessage: 'n' })],
    [
      'context where it is not supported',
      'SessionEnd',
      { context: 'c' },
      { ...silence, leftOut: ['context: not supported on SessionEnd'] },
    ],
    [
      'unsupported context with a notice',
      'InstructionsLoaded',
      { context: 'c', notice: 'n' },
      line({ systemMessage: 'n' }, ['context: not supported on InstructionsLoaded']),
    ],
    [
      'context that would not reach the model',
      'Setup',
      { context: 'c' },
      { ...silence, leftOut: ['context: not supported on Setup'] },
    ],

    [
      'context for a compaction',
      'PreCompact',
      { context: 'keep\nthis' },
      { ...silence, stdout: 'keep\nthis' },
    ],
    [
      'context that looks like JSON',
      'PreCompact',
      { context: '{"async":true}' },
      { ...silence, stdout: 'Note:\n{"async":true}' },
    ],
    [
      'context and notice for a compaction',
      'PreCompact',
      { context: 'c', notice: 'n' },
      { ...silence, stdout: 'c', leftOut: ['notice: not supported together with the context of PreCompact'] },
    ],
    ['notice for a compaction', 'PreCompact', { notice: 'n' }, line({ systemMessage: 'n' })],
    [
      'block of a compaction',
      'PreCompact',
      { block, context: 'c' },
      line({ decision: 'block', reason: 'no' }, ['context: not supported on PreCompact']),
    ],

    [
      'block before a tool',
      'PreToolUse',
      { block, context: 'c' },
      line(
        specific('PreToolUse', {
          permissionDecision: 'deny',
          permissionDecisionReason: 'no',
          additionalContext: 'c',
        }),
      ),
    ],
    [
      'block without a reason',
      'Stop',
      { block: { reason: '' } },
      line({ decision: 'block', reason: 'Blocked by a hook.' }),
    ],
    ['block of a prompt', 'UserPromptSubmit', { block }, line({ decision: 'block', reason: 'no' })],
    ['block of an expansion', 'UserPromptExpansion', { block }, line({ decision: 'block', reason: 'no' })],
    ['block of a subagent stop', 'SubagentStop', { block }, line({ decision: 'block', reason: 'no' })],
    [
      'block of a permission request',
      'PermissionRequest',
      { block },
      line(specific('PermissionRequest', { decision: { behavior: 'deny', message: 'no' } })),
    ],
    ['block after a tool', 'PostToolUse', { block }, { ...silence, stderr: 'no\n', exitCode: 2 }],
    [
      'block after a failure, with more to say',
      'PostToolUseFailure',
      { block, context: 'c', notice: 'n' },
      {
        stdout: '',
        stderr: 'no\n',
        exitCode: 2,
        leftOut: [
          'context: not supported together with a block of PostToolUseFailure',
          'notice: not supported together with a block of PostToolUseFailure',
        ],
      },
    ],
    ['block of a task', 'TaskCreated', { block }, { ...silence, stderr: 'no\n', exitCode: 2 }],
    [
      'block of a batch',
      'PostToolBatch',
      { block },
      { ...silence, leftOut: ['block: not supported on PostToolBatch'] },
    ],
    ['block of a start', 'SessionStart', { block }, line({ systemMessage: 'no' })],
    [
      'block of a start with a notice',
      'SessionStart',
      { block, notice: 'n' },
      line({ systemMessage: 'n' }, ['block: not supported on SessionStart']),
    ],
    [
      'block of an end',
      'SessionEnd',
      { block },
      { ...silence, leftOut: ['block: not supported on SessionEnd'] },
    ],
    [
      'block of a model switch',
      'PreModelSwitch',
      { block },
      line(specific('PreModelSwitch', { permissionDecision: 'deny', permissionDecisionReason: 'no' })),
    ],
    [
      'block of a question',
      'Elicitation',
      { block },
      line({ reason: 'no', ...specific('Elicitation', { action: 'decline' }) }),
    ],

    [
      'permission with a new input',
      'PreToolUse',
      { permission: { decision: 'allow', reason: 'r', updatedInput: { a: 1 } } },
      line(
        specific('PreToolUse', {
          permissionDecision: 'allow',
          permissionDecisionReason: 'r',
          updatedInput: { a: 1 },
        }),
      ),
    ],
    [
      'permission with an invalid new input',
      'PreToolUse',
      { permission: { decision: 'allow', updatedInput: 'rm' } },
      { ...silence, leftOut: ['permission: its updated input cannot be used, so nothing is allowed'] },
    ],
    [
      'denial with a new input',
      'PreToolUse',
      { permission: { decision: 'deny', updatedInput: { a: 1 } } },
      line(specific('PreToolUse', { permissionDecision: 'deny' }), [
        'updatedInput: is not an object, or not supported with this decision',
      ]),
    ],
    [
      'asking',
      'PreToolUse',
      { permission: { decision: 'ask' } },
      line(specific('PreToolUse', { permissionDecision: 'ask' })),
    ],
    [
      'permission with a block',
      'PreToolUse',
      { block, permission: { decision: 'allow' } },
      line(specific('PreToolUse', { permissionDecision: 'deny', permissionDecisionReason: 'no' }), [
        'permission: the block overrides it',
      ]),
    ],
    [
      'a request allowed',
      'PermissionRequest',
      { permission: { decision: 'allow', reason: 'r', updatedInput: { a: 1 } } },
      line(specific('PermissionRequest', { decision: { behavior: 'allow', updatedInput: { a: 1 } } }), [
        'permission reason: not supported when a request is allowed',
      ]),
    ],
    [
      'a request denied',
      'PermissionRequest',
      { permission: { decision: 'deny', reason: 'r' } },
      line(specific('PermissionRequest', { decision: { behavior: 'deny', message: 'r' } })),
    ],
    [
      'a request to ask',
      'PermissionRequest',
      { permission: { decision: 'ask' } },
      { ...silence, leftOut: ['permission: the person is being asked already'] },
    ],
    [
      'permission where it is not supported',
      'Stop',
      { permission: { decision: 'deny' } },
      { ...silence, leftOut: ['permission: not supported on Stop'] },
    ],

    [
      'a new output',
      'PostToolUse',
      { output: { stdout: 'x' } },
      line(specific('PostToolUse', { updatedToolOutput: { stdout: 'x' } })),
    ],
    [
      'a new output of an MCP tool',
      'PostToolUse',
      { output: [{ type: 'text', text: 'x' }] },
      line(specific('PostToolUse', { updatedToolOutput: [{ type: 'text', text: 'x' }] })),
    ],
    [
      'a bare output',
      'PostToolUse',
      { output: 'x' },
      { ...silence, leftOut: ['output: must be an object or a list'] },
    ],
    [
      'an output where it is not supported',
      'PreToolUse',
      { output: {} },
      { ...silence, leftOut: ['output: not supported on PreToolUse'] },
    ],

    [
      'a worktree, whose stdout is a path',
      'WorktreeCreate',
      { context: 'c', notice: 'n', block },
      {
        ...silence,
        leftOut: ['context', 'notice', 'block'].map((part) => `${part}: not supported on WorktreeCreate`),
      },
    ],
    [
      'an unknown event',
      'Tomorrow',
      { notice: 'n' },
      { ...silence, leftOut: ['notice: not supported on Tomorrow'] },
    ],
    [
      'a property of Object as the event name',
      'constructor',
      { notice: 'n' },
      { ...silence, leftOut: ['notice: not supported on constructor'] },
    ],
  ])('%s', (_, eventName, reply, expected) => {
    expect(printReply(eventName, reply)).toStrictEqual(expected);
  });

  test('leaves out an output that cannot be written as JSON', () => {
    const cycle: JsonObject = {};
    cycle.self = cycle;
    expect(printReply('PostToolUse', { output: cycle, notice: 'n' })).toStrictEqual({
      ...silence,
      leftOut: ['everything: the reply cannot be written as JSON'],
    });
  });
});

describe('a long context', () => {
  const rule = (length: number) => `\n(Cut here: ${length} characters are more than the agent reads.)`;

  function shown(context: string): string {
    return JSON.parse(printReply('SessionStart', { context }).stdout).hookSpecificOutput.additionalContext;
  }

  test('closes a frame that was cut', () => {
    const text = shown(`<cairn-context>\n${'x\n'.repeat(6_000)}</cairn-context>`);
    expect(text).toMatch(/^<cairn-context>\nx\n[\s\S]+\n\(Cut here: [^\n]+\)\n<\/cairn-context>$/);
    expect(text.length).toBeLessThanOrEqual(10_000);
  });

  test('adds no closing tag after a complete frame', () => {
    const text = shown(`<cairn-context>\nx\n</cairn-context>\n${'y\n'.repeat(6_000)}`);
    expect(text.match(/<\/cairn-context>/g)).toHaveLength(1);
    expect(text.length).toBeLessThanOrEqual(10_000);
  });

  test.each<[string, string, string]>([
    ['that just fits is unchanged', 'x'.repeat(10_000), 'x'.repeat(10_000)],
    ['of one line is cut', 'x'.repeat(10_001), `${'x'.repeat(10_000 - rule(10_001).length)}${rule(10_001)}`],
    [
      'of many lines is cut at a line',
      'twenty characters…\n\n'.repeat(600),
      `${'twenty characters…\n\n'.repeat(496)}twenty characters…\n${rule(12_000)}`,
    ],
    [
      'of surrogate pairs is cut between characters',
      '😀'.repeat(6_000),
      `${'😀'.repeat((10_000 - rule(12_000).length) >> 1)}${rule(12_000)}`,
    ],
    [
      'of shifted surrogate pairs is cut between characters',
      `x${'😀'.repeat(6_000)}`,
      `x${'😀'.repeat((9_999 - rule(12_001).length) >> 1)}${rule(12_001)}`,
    ],
  ])('%s', (_, context, expected) => {
    expect(shown(context)).toBe(expected);
  });

  test('is reported in leftOut', () => {
    expect(printReply('PreCompact', { context: 'x'.repeat(10_001) }).leftOut).toEqual([
      'context: cut from 10001 characters to fit 10000',
    ]);
  });
});

test('a block counts as feedback only after a tool', () => {
  expect(allEvents.filter(isBlockFeedback)).toEqual(['PostToolUse', 'PostToolUseFailure']);
});

describe('validateOutput', () => {
  test.each<[string, string, JsonObject, string[]]>([
    ['a valid output', 'Stop', { decision: 'block', reason: 'r' }, []],
    ['another decision', 'Stop', { decision: 'approve' }, ['decision has a wrong value']],
    ['no event name', 'Stop', { hookSpecificOutput: {} }, ['hookEventName is not the event']],
    ['another event', 'Stop', specific('SessionStart', {}), ['hookEventName is not the event']],
    ['not an object', 'Stop', { hookSpecificOutput: 'x' }, ['hookSpecificOutput is not an object']],
    [
      'a field of another event',
      'Stop',
      specific('Stop', { updatedInput: {} }),
      ['updatedInput has no place here'],
    ],
    [
      'context at the end',
      'SessionEnd',
      specific('SessionEnd', { additionalContext: 'c' }),
      ['additionalContext has no place here'],
    ],
    [
      'a context that is too long',
      'Stop',
      specific('Stop', { additionalContext: 'x'.repeat(10_001) }),
      ['additionalContext has a wrong value'],
    ],
    [
      'anything for a worktree',
      'WorktreeCreate',
      { systemMessage: 'n' },
      ['systemMessage has no place here'],
    ],
    [
      'half a decision',
      'PermissionRequest',
      specific('PermissionRequest', { decision: { behavior: 'ask' } }),
      ['decision has a wrong value'],
    ],
  ])('%s', (_, eventName, output, problems) => {
    expect(validateOutput(replyTable, eventName, output)).toEqual(problems);
  });
});

/** Written from observation of the client, independent of the table that the code uses. */
const withContext = [
  ...['SessionStart', 'UserPromptSubmit', 'UserPromptExpansion', 'PreToolUse', 'PostToolUse'],
  ...[
    'PostToolUseFailure',
    'PostToolBatch',
    'SubagentStart',
    'SubagentStop',
    'Stop',
    'Notification',
    'PostModelSwitch',
  ],
];
const withDecision = [
  'UserPromptSubmit',
  'UserPromptExpansion',
  'SubagentStop',
  'Stop',
  'PreCompact',
  'ConfigChange',
];
const withExit2 = ['PostToolUse', 'PostToolUseFailure', 'TaskCreated', 'TaskCompleted', 'TeammateIdle'];
const withAction = ['Elicitation', 'ElicitationResult'];
const withPermission = ['PreToolUse', 'PreModelSwitch'];

function expectAcceptable(eventName: string, output: JsonObject): void {
  const { systemMessage, decision, reason, hookSpecificOutput, ...unknown } = output;
  expect(unknown).toEqual({});
  if (systemMessage !== undefined) expect(systemMessage).toBeTypeOf('string');
  if (decision !== undefined) {
    expect([decision, withDecision]).toEqual(['block', expect.arrayContaining([eventName])]);
    expect(reason).toBeTypeOf('string');
  }
  if (reason !== undefined) expect([...withDecision, ...withAction]).toContain(eventName);
  if (hookSpecificOutput === undefined) return;
  expect(hookSpecificOutput).toBeTypeOf('object');
  for (const [key, value] of Object.entries(hookSpecificOutput as JsonObject)) {
    expectAcceptableField(eventName, key, value);
  }
  expect(Object.keys(hookSpecificOutput as JsonObject)).toContain('hookEventName');
}

function expectAcceptableField(eventName: string, key: string, value: unknown): void {
  const rule = fieldRules[key];
  if (rule === undefined) throw new Error(`${eventName} printed the unknown field ${key}`);
  expect(rule.events ?? [eventName], key).toContain(eventName);
  expect(rule.fits(value, eventName), `${key} of ${eventName}`).toBe(true);
}

interface FieldRule {
  events?: string[];
  fits(value: unknown, eventName: string): boolean;
}

const isText = (value: unknown) => typeof value === 'string';
const isRecord = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);

const fieldRules: Record<string, FieldRule> = {
  hookEventName: { fits: (value, eventName) => value === eventName },
  additionalContext: {
    events: withContext,
    fits: (value) => isText(value) && String(value).length <= 10_000,
  },
  permissionDecision: {
    events: withPermission,
    fits: (value) => value === 'allow' || value === 'deny' || value === 'ask',
  },
  permissionDecisionReason: { events: withPermission, fits: isText },
  updatedInput: { events: ['PreToolUse'], fits: isRecord },
  updatedToolOutput: { events: ['PostToolUse'], fits: (value) => isRecord(value) || Array.isArray(value) },
  action: { events: withAction, fits: (value) => value === 'decline' },
  decision: {
    events: ['PermissionRequest'],
    fits: (value) => {
      const { behavior, updatedInput, message, ...unknown } = value as JsonObject;
      if (Object.keys(unknown).length > 0) return false;
      if (behavior === 'deny')
        return updatedInput === undefined && (message === undefined || isText(message));
      return (
        behavior === 'allow' &&
        message === undefined &&
        (updatedInput === undefined || isRecord(updatedInput))
      );
    },
  },
};

function expectPrintable(eventName: string, reply: HookReply): void {
  const { stdout, stderr, exitCode } = printReply(eventName, reply);
  if (exitCode === 2) {
    expect(withExit2).toContain(eventName);
    expect(stdout).toBe('');
    expect(stderr).not.toBe('');
    return;
  }
  expect([exitCode, stderr]).toEqual([0, '']);
  if (eventName === 'PreCompact' && reply.context && !reply.block) {
    expect(stdout.length).toBeLessThanOrEqual(10_000);
    expect(stdout.trimStart()).not.toMatch(/^\{/);
  } else if (stdout !== '') {
    expect(stdout).toMatch(/^\{.*\}\n$/);
    expectAcceptable(eventName, JSON.parse(stdout));
  }
}

test('there are 33 events', () => {
  expect(new Set(allEvents).size).toBe(33);
});

const everyReply: HookReply[] = combine(
  [{}, { context: 'SAID-CONTEXT' }],
  [{}, { notice: 'SAID-NOTICE' }],
  [{}, { block: { reason: 'SAID-BLOCK' } }],
  [
    {},
    ...(['allow', 'deny', 'ask'] as const).flatMap((decision): HookReply[] => [
      { permission: { decision } },
      { permission: { decision, reason: 'SAID-REASON', updatedInput: { said: 'SAID-INPUT' } } },
      { permission: { decision, updatedInput: 'SAID-INPUT' } },
    ]),
  ],
  [{}, { output: { said: 'SAID-OUTPUT' } }, { output: ['SAID-OUTPUT'] }, { output: 'SAID-OUTPUT' }],
);

function combine(...choices: HookReply[][]): HookReply[] {
  return choices.reduce((replies, parts) =>
    replies.flatMap((reply) => parts.map((part) => ({ ...reply, ...part }))),
  );
}

test.each(allEvents)('%s prints every combination of parts or reports what it left out', (eventName) => {
  for (const reply of everyReply) {
    expectPrintable(eventName, reply);
    const { stdout, stderr, leftOut } = printReply(eventName, reply);
    const printed = stdout + stderr;
    for (const part of ['context', 'notice', 'block', 'output'] as const) {
      if (reply[part] === undefined) continue;
      const isPrinted = printed.includes(`SAID-${part.toUpperCase()}`);
      expect([part, isPrinted, leftOut.some((reason) => reason.startsWith(`${part}:`))]).toEqual([
        part,
        isPrinted,
        !isPrinted,
      ]);
    }
    if (reply.permission && !printed.includes(`"${reply.permission.decision}"`)) {
      expect(leftOut).toContainEqual(expect.stringMatching(/^permission:/));
    }
  }
});

test('any texts and values give output that the client accepts', () => {
  const words = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('', '{}', '\n', 'x\n'.repeat(9_000), '😀'.repeat(5_001)),
  );
  const value = fc.jsonValue({ maxDepth: 2 });
  const reply = fc.record(
    {
      context: words,
      notice: words,
      block: fc.record({ reason: words }),
      permission: fc.record(
        { decision: fc.constantFrom('allow', 'deny', 'ask'), reason: words, updatedInput: value },
        { requiredKeys: ['decision'] },
      ),
      output: value,
    },
    { requiredKeys: [] },
  );
  const eventName = fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...allEvents) }, fc.string());
  fc.assert(
    fc.property(eventName, reply, (name, anyReply) => expectPrintable(name, anyReply as HookReply)),
    { numRuns: 2_000 },
  );
});
