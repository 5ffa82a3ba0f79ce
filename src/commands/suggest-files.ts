import { createHookIo } from '../hooks/io.ts';
import { suggestFiles } from './suggest-files/suggest.ts';
import { type Command, UsageError } from './support/command.ts';

/** The suggestions as a command. Agents call a separate program, which starts in half the time. */
export const command: Command = {
  name: 'suggest-files',
  summary: 'Suggest files for @, ranked by memory and git',
  usage: "suggest-files ['<another command that suggests files>']",
  help: [
    'Reads {"cwd": …, "query": …, "session_id": …} on stdin and prints one path per line.',
    'Suggestions of another command come first. Turn it on: cairn install claude-code --suggest-files',
  ].join('\n'),
  options: {},
  words: 1,
  async run({ positionals: [theirs], env, out }) {
    if (process.stdin.isTTY) throw new UsageError('Claude Code runs this, with what was typed on stdin.');
    const input = await createHookIo().readInput();
    for (const file of await suggestFiles({ input, theirs, env })) out(file);
    return 0;
  },
};
