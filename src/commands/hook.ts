import { prepareHome } from '../capture/home.ts';
import { createHookIo } from '../hooks/io.ts';
import { runHook } from '../hooks/run.ts';
import type { Command } from './support/command.ts';

/** The answering path by another door: agents call it where there is no shell, and the plugin before the first install. */
export const command: Command = {
  name: 'hook',
  summary: 'Process one hook event from stdin; agents run this',
  usage: 'hook <agent> <event> [via]',
  options: {},
  // Agents call this one; whatever they pass, it must not fail.
  words: Number.POSITIVE_INFINITY,
  async run({ positionals: [agent = '', hook = '', via = 'command'], env, home }) {
    const io = createHookIo();
    io.hold();
    try {
      prepareHome(home, env.searchPath);
    } catch {
      // The hook itself counts and tells what cannot be written.
    }
    await runHook({ agent, hook, via }, io, env);
    return 0;
  },
};
