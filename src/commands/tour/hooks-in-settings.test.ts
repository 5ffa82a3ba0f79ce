import { expect, test } from 'vitest';
import { findHookCommands } from './hooks-in-settings.ts';

const SETTINGS = {
  model: 'opus',
  hooks: {
    PreToolUse: [
      { matcher: 'Read|ExitPlanMode', hooks: [{ type: 'command', command: 'ours' }] },
      { matcher: 'Bash', hooks: [{ type: 'command', command: 'theirs' }, { type: 'prompt' }] },
      { matcher: '*', hooks: [{ type: 'command', command: 'always' }] },
    ],
    Stop: [{ hooks: [{ type: 'command', command: 'at stop' }] }, 'not a group'],
  },
};

test.each([
  { name: 'a tool in the matcher', event: 'PreToolUse', tool: 'Read', commands: ['ours', 'always'] },
  { name: 'a tool of another matcher', event: 'PreToolUse', tool: 'Bash', commands: ['theirs', 'always'] },
  { name: 'a tool that only begins like it', event: 'PreToolUse', tool: 'ReadMcp', commands: ['always'] },
  { name: 'no matcher', event: 'Stop', tool: undefined, commands: ['at stop'] },
  { name: 'an event without hooks', event: 'SessionEnd', tool: undefined, commands: [] },
])('$name', ({ event, tool, commands }) => {
  expect(findHookCommands(SETTINGS, event, tool)).toEqual(commands);
});

test.each([null, {}, { hooks: null }, { hooks: { Stop: {} } }])('settings without hooks: %j', (settings) => {
  expect(findHookCommands(settings, 'Stop', undefined)).toEqual([]);
});
