import { readTodoTool } from '../todo-list.ts';

export const workReports = readTodoTool({
  tool: 'todowrite',
  subject: 'content',
  states: new Map([
    ['pending', 'open'],
    ['in_progress', 'doing'],
    ['completed', 'done'],
    ['cancelled', 'dropped'],
  ]),
});
