import { createHookIo } from '../hooks/io.ts';
import { type Command, UsageError } from './command.ts';
import { suggestFiles } from './suggest-files/suggest.ts';

/** The same suggestions by another door: agents call a program of its own, which starts in half the time. */
export const command: Command = {
  name: 'suggest-files',
  summary: 'Files for the agent to offer after @: by what was typed, by memory and by git',
  usage: "suggest-files ['<another command that suggests files>']",
  help: [
    'Takes {"cwd": …, "query": …, "session_id": …} on stdin and prints paths, a line each. What another command',
    'suggests comes first. To have files suggested: cairn install claude-code --suggest-files',
  ].join('\n'),
  options: {},
  words: 1,
  async run({ positionals: [theirs], env, out }) {
    if (process.stdin.isTTY) throw new UsageError('Claude Code calls this, with what was typed on stdin.');
    const input = await createHookIo().readInput();
    for (const file of await suggestFiles({ input, theirs, env })) out(file);
    return 0;
  },
};
