import type { ToolAction } from '../../model/agent-event.ts';
import { findFilesByAction, type ToolTable } from '../dialect/tools.ts';

const actions = new Map<string, ToolAction>([
  ['Create', 'change'],
  ['Edit', 'change'],
  ['MultiEdit', 'change'],
  ['ApplyPatch', 'change'],
  ['Execute', 'command'],
  ['Read', 'read'],
  ['Grep', 'search'],
  ['Glob', 'search'],
  ['LS', 'search'],
  ['Task', 'delegate'],
  ['FetchUrl', 'web'],
  ['WebSearch', 'web'],
  ['TodoWrite', 'meta'],
  ['AskUser', 'meta'],
  ['ToolSearch', 'meta'],
  ['Skill', 'meta'],
  ['ExitSpecMode', 'meta'],
]);

export const tools: ToolTable = {
  actions,
  ownServer: /^cairn___/,
  findFiles: findFilesByAction(actions, 'file_path'),
};
