/** The tools of Cairn's MCP server, for agents that allow each tool by its name. */
export const TOOL_NAMES = [
  ...['search', 'get', 'timeline', 'file_history', 'remember'],
  ...['tasks', 'handoff', 'update', 'forget'],
];
