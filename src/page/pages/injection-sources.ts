/** The occasions on which agents get context. */
export const SOURCE_NAMES = {
  start: 'Session start',
  prompt: 'Prompt',
  file: 'Before reading a file',
  mcp: 'Requested by the agent',
};
