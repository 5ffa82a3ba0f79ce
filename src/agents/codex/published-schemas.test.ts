import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { HookReply } from '../../model/hook-reply.ts';
import { isObject, type JsonObject } from '../../model/json.ts';
import { codex } from './adapter.ts';

/*
 * Checks replies against the schemas that Codex publishes for the output of hooks (codex-rs/hooks/schema/generated,
 * 2026-08-22). All of them forbid additional properties, and every text field is optional. Independent of
 * reply-rules.ts, to catch mistakes there.
 */

const COMMON = ['continue', 'stopReason', 'suppressOutput', 'systemMessage'];
const DECIDING = [...COMMON, 'decision', 'reason'];

const SCHEMAS: Record<string, { fields: string[]; specific: string[] }> = {
  SessionStart: { fields: COMMON, specific: ['additionalContext'] },
  UserPromptSubmit: { fields: DECIDING, specific: ['additionalContext'] },
  PreToolUse: {
    fields: DECIDING,
    specific: ['additionalContext', 'permissionDecision', 'permissionDecisionReason', 'updatedInput'],
  },
  PermissionRequest: { fields: COMMON, specific: ['decision'] },
  PostToolUse: { fields: DECIDING, specific: ['additionalContext', 'updatedMCPToolOutput'] },
  PreCompact: { fields: COMMON, specific: [] },
  PostCompact: { fields: COMMON, specific: [] },
  SubagentStart: { fields: COMMON, specific: ['additionalContext'] },
  SubagentStop: { fields: DECIDING, specific: [] },
  Stop: { fields: DECIDING, specific: [] },
};

const TEXTS = ['stopReason', 'systemMessage', 'reason', 'additionalContext', 'permissionDecisionReason'];

function findProblems(event: string, output: JsonObject): string[] {
  const schema = SCHEMAS[event];
  if (!schema) return ['the event has no schema'];
  const { hookSpecificOutput: specific, ...fields } = output;
  return [
    ...findWrongFields(fields, schema.fields),
    ...(fields.decision === 'block' && !/\S/.test(String(fields.reason ?? ''))
      ? ['a block needs a reason']
      : []),
    ...(specific === undefined ? [] : findWrongSpecifics(event, specific, schema.specific)),
  ];
}

function findWrongSpecifics(event: string, specific: unknown, allowed: string[]): string[] {
  if (allowed.length === 0 || !isObject(specific)) return ['hookSpecificOutput has no place here'];
  const { hookEventName, ...fields } = specific;
  return [
    ...(hookEventName === event ? [] : ['hookEventName is not the event']),
    ...findWrongFields(fields, allowed),
  ];
}

function findWrongFields(fields: JsonObject, allowed: string[]): string[] {
  return Object.entries(fields).flatMap(([key, value]) => {
    if (!allowed.includes(key)) return [`${key} has no place here`];
    return TEXTS.includes(key) && typeof value !== 'string' ? [`${key} is not a text`] : [];
  });
}

const anyText = fc.oneof(fc.string(), fc.constant(' \n'), fc.string({ minLength: 9_000, maxLength: 12_000 }));
const anyReply: fc.Arbitrary<HookReply> = fc.record(
  {
    context: anyText,
    notice: anyText,
    block: fc.record({ reason: anyText }),
    output: fc.constant({ a: 1 }),
    permission: fc.record({ decision: fc.constantFrom<'allow' | 'deny' | 'ask'>('allow', 'deny', 'ask') }),
  },
  { requiredKeys: [] },
);

test.each([...Object.keys(SCHEMAS), 'SessionEnd'])('a reply at %s is valid or absent', (event) => {
  fc.assert(
    fc.property(anyReply, (reply) => {
      const { stdout } = codex.print(event, reply);
      if (stdout !== '') expect(findProblems(event, JSON.parse(stdout))).toEqual([]);
    }),
    { numRuns: 100 },
  );
});

test('findProblems rejects output that Codex discards', () => {
  const specific = (fields: JsonObject) => ({ hookSpecificOutput: { hookEventName: 'Stop', ...fields } });
  expect(findProblems('Stop', { decision: 'block', reason: ' ' })).toEqual(['a block needs a reason']);
  expect(findProblems('Stop', specific({}))).toEqual(['hookSpecificOutput has no place here']);
  expect(findProblems('PostToolUse', specific({ context: 'c' }))).toEqual([
    'hookEventName is not the event',
    'context has no place here',
  ]);
});
