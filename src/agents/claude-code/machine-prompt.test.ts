import { expect, test } from 'vitest';
import { isMachinePrompt } from './machine-prompt.ts';

test.each([
  ['plain words', 'fix the login', false],
  ['an empty prompt', '', false],
  ['a typed slash command', '/init', false],
  ['a typed slash command with arguments', '/review 12 --deep', false],
  ['a path', '/etc/hosts is wrong', false],
  ['words that name a mark', 'what does <task-notification> mean?', false],
  ['pasted markup', '<div>why is this red?</div>', false],
  ['a task notification', '<task-notification>\n<task-id>a</task-id>\n</task-notification>', true],
  ['a task notification after a blank line', '\n<task-notification>x</task-notification>', true],
  ['the output of a local command', '<local-command-stdout>Set model</local-command-stdout>', true],
  ['an expanded command', '<command-name>/init</command-name>\n<command-args></command-args>', true],
  ['an expanded command, message first', '<command-message>init is running…</command-message>', true],
  ['a shell line of the client', '<bash-input>ls</bash-input>', true],
  ['a message of a teammate', '<teammate-message teammate_id="b">done</teammate-message>', true],
  ['an interrupt', '[Request interrupted by user for tool use]', true],
  ['a reminder alone', '<system-reminder>be short</system-reminder>', true],
  ['an unclosed reminder', '<system-reminder>be short', true],
  ['a reminder before words', '<system-reminder>be short</system-reminder>\nfix the login', false],
  [
    'reminders before a notification',
    '<system-reminder>a</system-reminder> <system-reminder>b</system-reminder>\n<task-notification>x',
    true,
  ],
])('%s', (_, prompt, expected) => {
  expect(isMachinePrompt(prompt)).toBe(expected);
});
