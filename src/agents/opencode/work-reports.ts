import { isObject, type Json } from '../../model/json.ts';
import type { TaskState, WorkReport } from '../../model/work.ts';
import type { WorkToolCall } from '../agent.ts';
import { field } from '../dialect/tools.ts';
import { name } from '../dialect/wire.ts';

export const workTools = ['todowrite'];

const states = new Map<Json | undefined, TaskState>([
  ['pending', 'open'],
  ['in_progress', 'doing'],
  ['completed', 'done'],
  ['cancelled', 'dropped'],
]);

/** The list of tasks is always sent as a whole. */
export function findWorkReports({ kind, tool, input, outcome }: WorkToolCall): WorkReport[] {
  const todos = field(input, 'todos');
  if (tool !== 'todowrite' || kind !== 'tool-end' || outcome !== 'success' || !Array.isArray(todos))
    return [];
  const tasks = todos.filter(isObject).flatMap((todo) => {
    const subject = name(todo.content);
    const state = states.get(todo.status);
    return subject === undefined ? [] : [{ key: subject, subject, ...(state && { state }) }];
  });
  return [{ kind: 'tasks', tasks, isWholeList: true }];
}
