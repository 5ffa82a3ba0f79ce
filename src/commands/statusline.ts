import { createHookIo } from '../hooks/io.ts';
import { type Command, UsageError } from './command.ts';
import { statusLine } from './statusline/line.ts';

/** The same line by another door: agents call a program of its own, which starts in half the time. */
export const command: Command = {
  name: 'statusline',
  summary: 'One line for the agent to show: model, context left, work, tasks, memory',
  usage: "statusline ['<another status line>']",
  help: [
    'Takes on stdin what Claude Code tells a status line. Another command for a status line gets the same, and',
    'what it prints comes first. To have the line shown: cairn install claude-code --statusline',
  ].join('\n'),
  options: {},
  words: 1,
  async run({ positionals: [theirs], env }) {
    if (process.stdin.isTTY) throw new UsageError('Claude Code calls this, with what it knows on stdin.');
    const io = createHookIo();
    const input = await io.readInput();
    // Not by `out`: another status line has colours of its own.
    const line = await statusLine({ input, theirs, env });
    io.reply({ stdout: `${line}\n`, stderr: '', exitCode: 0, leftOut: [] }, 'USER_HINT');
    return 0;
  },
};
