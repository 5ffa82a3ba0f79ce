import { isObject, type Json } from '../model/json.ts';
import type { TaskState, WorkReport } from '../model/work.ts';
import type { Agent, WorkToolCall } from './agent.ts';
import { field } from './dialect/tools.ts';
import { name } from './dialect/wire.ts';

/** A tool whose input is the whole list of tasks: `{ todos: [{ <subject>, status }] }`. */
export interface TodoTool {
  tool: string;
  subject: string;
  states: ReadonlyMap<Json | undefined, TaskState>;
}

export function readTodoTool(todo: TodoTool): Pick<Agent, 'workTools' | 'findWorkReports'> {
  return { workTools: [todo.tool], findWorkReports: (call) => findReports(todo, call) };
}

function findReports(todo: TodoTool, { kind, tool, input, outcome }: WorkToolCall): WorkReport[] {
  const todos = field(input, 'todos');
  if (tool !== todo.tool || kind !== 'tool-end' || outcome !== 'success' || !Array.isArray(todos)) return [];
  const tasks = todos.filter(isObject).flatMap((item) => {
    const subject = name(item[todo.subject]);
    const state = todo.states.get(item.status);
    return subject === undefined ? [] : [{ key: subject, subject, ...(state && { state }) }];
  });
  return [{ kind: 'tasks', tasks, isWholeList: true }];
}
