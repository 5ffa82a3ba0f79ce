import { prepareHome } from '../capture/home.ts';
import { createHookIo } from '../hooks/io.ts';
import { runHook } from '../hooks/run.ts';
import type { Command } from './support/command.ts';

/** The answering hook as a command, for agents without a shell and for the plugin before the first install. */
export const command: Command = {
  name: 'hook',
  summary: 'Process one hook event from stdin; agents run this',
  usage: 'hook <agent> <event> [via]',
  options: {},
  // Agents call this, so it must not fail on unexpected arguments.
  words: Number.POSITIVE_INFINITY,
  async run({ positionals: [agent = '', hook = '', via = 'command'], env, home }) {
    const io = createHookIo();
    io.hold();
    try {
      prepareHome(home, env.searchPath);
    } catch {
      // The hook counts and reports failed writes itself.
    }
    await runHook({ agent, hook, via }, io, env);
    return 0;
  },
};
