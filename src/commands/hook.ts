import { prepareHome } from '../capture/home.ts';
import { createHookIo } from '../hooks/io.ts';
import { runHook } from '../hooks/run.ts';
import type { Command } from './support/command.ts';

/** The answering path as a command: for agents without a shell, and for the plugin before the first install. */
export const command: Command = {
  name: 'hook',
  summary: 'Process one hook event from stdin; agents run this',
  usage: 'hook <agent> <event> [via]',
  options: {},
  // Called by agents: it must not fail, whatever they pass.
  words: Number.POSITIVE_INFINITY,
  async run({ positionals: [agent = '', hook = '', via = 'command'], env, home }) {
    const io = createHookIo();
    io.hold();
    try {
      prepareHome(home, env.searchPath);
    } catch {
      // The hook itself counts and reports failed writes.
    }
    await runHook({ agent, hook, via }, io, env);
    return 0;
  },
};
