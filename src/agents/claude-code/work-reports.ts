import { isObject, type Json } from '../../model/json.ts';
import type { TaskReport, TaskState, WorkReport } from '../../model/work.ts';
import type { WorkToolCall } from '../agent.ts';
import { field } from '../dialect/tools.ts';
import { clip, name, text } from '../dialect/wire.ts';

export const workTools = ['ExitPlanMode', 'TaskCreate', 'TaskUpdate', 'TodoWrite'];

const longestSubject = 300;

/**
 * Current models often have no task tools, so nothing depends on them. The response is an object if the call itself
 * was reported, and the text shown to the model if it was only in a batch.
 */
export function findWorkReports(call: WorkToolCall): WorkReport[] {
  if (call.tool === 'ExitPlanMode') return findPlanReports(call);
  if (call.kind !== 'tool-end' || call.outcome !== 'success') return [];
  const task = call.tool === 'TodoWrite' ? null : findTaskReport(call);
  if (task) return [{ kind: 'tasks', tasks: [task], isWholeList: false }];
  return call.tool === 'TodoWrite' ? findTodoReports(call) : [];
}

/** The plan is in the request or in the response; if it is in neither, it is the last proposed plan. */
function findPlanReports({ kind, input, response, outcome }: WorkToolCall): WorkReport[] {
  const proposed = text(field(input, 'plan')) ?? '';
  if (kind !== 'tool-end')
    return proposed === '' ? [] : [{ kind: 'plan', decision: 'proposed', text: proposed }];
  if (outcome !== 'success') return [{ kind: 'plan', decision: 'refused', text: proposed }];
  return [{ kind: 'plan', decision: 'accepted', text: text(field(response, 'plan')) ?? proposed }];
}

function findTaskReport({ tool, input, response }: WorkToolCall): TaskReport | null {
  if (tool === 'TaskUpdate') {
    const key = name(field(input, 'taskId'));
    return key === undefined || field(response, 'success') === false ? null : { key, ...readChanges(input) };
  }
  const task = field(response, 'task');
  const [, number] = /^Task #(\S+) created/.exec(shownText(response)) ?? [];
  const key = name(field(task, 'id')) ?? name(number);
  const subject = text(field(task, 'subject')) ?? text(field(input, 'subject'));
  return key === undefined || subject === undefined
    ? null
    : { key, ...readChanges(input), ...asSubject(subject) };
}

function findTodoReports({ input, response }: WorkToolCall): WorkReport[] {
  const listed = field(response, 'newTodos') ?? field(input, 'todos');
  if (!Array.isArray(listed)) return [];
  const tasks = listed.filter(isObject).flatMap((todo) => {
    const subject = text(todo.content);
    return subject === undefined
      ? []
      : [{ key: clip(subject, longestSubject), ...readChanges(todo), ...asSubject(subject) }];
  });
  return [{ kind: 'tasks', tasks, isWholeList: true }];
}

const states = new Map<Json | undefined, TaskState>([
  ['pending', 'open'],
  ['in_progress', 'doing'],
  ['completed', 'done'],
  ['deleted', 'dropped'],
]);

function readChanges(input: Json): Omit<TaskReport, 'key'> {
  const subject = text(field(input, 'subject'));
  const description = text(field(input, 'description'));
  const state = states.get(field(input, 'status'));
  return {
    ...(subject !== undefined && asSubject(subject)),
    ...(description !== undefined && { description }),
    ...(state !== undefined && { state }),
  };
}

function asSubject(subject: string): { subject: string } {
  return { subject: clip(subject, longestSubject) };
}

function shownText(response: Json): string {
  const first = Array.isArray(response) ? response[0] : response;
  return text(isObject(first) ? first.text : first) ?? '';
}
