import { createHookIo } from '../hooks/io.ts';
import { buildStatusLine } from './statusline/line.ts';
import { type Command, UsageError } from './support/command.ts';

/** The status line as a command. Agents call a separate program, which starts in half the time. */
export const command: Command = {
  name: 'statusline',
  summary: 'Print a status line: model, context left, work item, tasks, memory',
  usage: "statusline ['<another status line>']",
  help: [
    'Reads the status line input of Claude Code on stdin. Another status line command gets the same input,',
    'and its output comes first. Turn it on: cairn install claude-code --statusline',
  ].join('\n'),
  options: {},
  words: 1,
  async run({ positionals: [theirs], env }) {
    if (process.stdin.isTTY) throw new UsageError('Claude Code runs this, with its status on stdin.');
    const io = createHookIo();
    const input = await io.readInput();
    // Not through `out`, which would show the colours of the previous status line as text.
    const line = await buildStatusLine({ input, theirs, env });
    io.reply({ stdout: `${line}\n`, stderr: '', exitCode: 0, leftOut: [] }, 'USER_HINT');
    return 0;
  },
};
