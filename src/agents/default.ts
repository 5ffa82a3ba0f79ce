/** The agent used if none is named. Separate from the list, which loads every agent. */
export { claudeCode as defaultAgent } from './claude-code/adapter.ts';
