import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json } from '../../model/json.ts';
import { claudeCode } from './adapter.ts';
import { findWorkReports, workTools } from './work-reports.ts';

const plan = '# Plan\n1. do it PLAN-MARK';

/** The work reports in the event of a recorded payload. */
function reportsIn(file: string): object[] {
  const payload = JSON.parse(readFileSync(new URL(`./payloads/${file}`, import.meta.url), 'utf8'));
  return claudeCode.toEvents('', payload).flatMap((event) =>
    'call' in event
      ? claudeCode.findWorkReports({
          kind: event.kind,
          tool: event.call.name,
          input: event.call.input,
          response: event.kind === 'tool-end' ? event.response : null,
          outcome: event.kind === 'tool-end' ? event.outcome : null,
        })
      : [],
  );
}

describe('reports in recorded payloads', () => {
  test.each([
    ['tools/PreToolUse.ExitPlanMode.with-plan.json', [{ kind: 'plan', decision: 'proposed', text: plan }]],
    [
      'tools/PermissionRequest.ExitPlanMode.with-plan.json',
      [{ kind: 'plan', decision: 'proposed', text: plan }],
    ],
    ['events/PermissionRequest.ExitPlanMode.json', []],
    ['tools/PostToolUse.ExitPlanMode.with-plan.json', [{ kind: 'plan', decision: 'accepted', text: plan }]],
    ['tools/PreToolUse.TaskCreate.json', []],
    [
      'tools/PostToolUse.TaskCreate.json',
      [
        {
          kind: 'tasks',
          isWholeList: false,
          tasks: [{ key: '1', subject: 'Write tests', description: 'Write the tests for new.ts' }],
        },
      ],
    ],
    [
      'tools/PostToolUse.TaskUpdate.json',
      [{ kind: 'tasks', isWholeList: false, tasks: [{ key: '1', state: 'doing' }] }],
    ],
    [
      'tools/PostToolUse.TodoWrite.json',
      [
        {
          kind: 'tasks',
          isWholeList: true,
          tasks: [
            { key: 'First', subject: 'First', state: 'doing' },
            { key: 'Second', subject: 'Second', state: 'open' },
          ],
        },
      ],
    ],
    ['tools/PostToolUse.Bash.json', []],
    ['tools/PostToolUse.EnterPlanMode.json', []],
  ])('%s', (file, reports) => {
    expect(reportsIn(file)).toStrictEqual(reports);
  });
});

describe('reports from a batch or an incomplete call', () => {
  const ended = { kind: 'tool-end', outcome: 'success' } as const;
  test.each<[string, Parameters<typeof findWorkReports>[0], object[]]>([
    [
      'an accepted plan without its text',
      { ...ended, tool: 'ExitPlanMode', input: {}, response: 'User has approved your plan.' },
      [{ kind: 'plan', decision: 'accepted', text: '' }],
    ],
    [
      'a refused plan',
      { ...ended, outcome: 'refused', tool: 'ExitPlanMode', input: { plan }, response: 'No' },
      [{ kind: 'plan', decision: 'refused', text: plan }],
    ],
    [
      'a plan that failed',
      { ...ended, outcome: 'failure', tool: 'ExitPlanMode', input: {}, response: 'Not in plan mode' },
      [{ kind: 'plan', decision: 'refused', text: '' }],
    ],
    [
      'a created task',
      {
        ...ended,
        tool: 'TaskCreate',
        input: { subject: 'Write tests', description: 'all' },
        response: 'Task #7 created successfully: Write tests',
      },
      [
        {
          kind: 'tasks',
          isWholeList: false,
          tasks: [{ key: '7', subject: 'Write tests', description: 'all' }],
        },
      ],
    ],
    [
      'a created task, with a response in blocks',
      {
        ...ended,
        tool: 'TaskCreate',
        input: { subject: 'Write tests' },
        response: [{ type: 'text', text: 'Task #8 created successfully: Write tests' }],
      },
      [{ kind: 'tasks', isWholeList: false, tasks: [{ key: '8', subject: 'Write tests' }] }],
    ],
    [
      'a created task without a number',
      { ...ended, tool: 'TaskCreate', input: { subject: 'Write tests' }, response: 'done' },
      [],
    ],
    [
      'an updated task',
      {
        ...ended,
        tool: 'TaskUpdate',
        input: { taskId: '1', status: 'deleted', subject: 'Tests' },
        response: 'Updated task #1 status',
      },
      [{ kind: 'tasks', isWholeList: false, tasks: [{ key: '1', subject: 'Tests', state: 'dropped' }] }],
    ],
    [
      'a failed update',
      {
        ...ended,
        tool: 'TaskUpdate',
        input: { taskId: '9', status: 'completed' },
        response: { success: false, taskId: '9' },
      },
      [],
    ],
    [
      'a list that is only in the input',
      {
        ...ended,
        tool: 'TodoWrite',
        input: { todos: [{ content: 'One', status: 'completed' }, { content: '' }, 7] },
        response: 'Todos have been modified successfully.',
      },
      [{ kind: 'tasks', isWholeList: true, tasks: [{ key: 'One', subject: 'One', state: 'done' }] }],
    ],
    [
      'a failed list',
      { ...ended, outcome: 'failure', tool: 'TodoWrite', input: { todos: [] }, response: 'bad' },
      [],
    ],
  ])('%s', (_, call, reports) => {
    expect(findWorkReports(call)).toStrictEqual(reports);
  });
});

test('findWorkReports never throws for any input and response', () => {
  const json = fc.jsonValue() as fc.Arbitrary<Json>;
  const field = fc.constantFrom(
    'plan',
    'todos',
    'newTodos',
    'task',
    'taskId',
    'subject',
    'status',
    'success',
  );
  const value = fc.oneof(json, fc.dictionary(field, json));
  fc.assert(
    fc.property(
      fc.constantFrom(...workTools, 'Bash'),
      fc.constantFrom('tool-start', 'permission-request', 'tool-end'),
      fc.constantFrom('success', 'failure', 'refused', null),
      value,
      value,
      (tool, kind, outcome, input, response) =>
        Array.isArray(findWorkReports({ tool, kind, outcome, input, response })),
    ),
  );
});
