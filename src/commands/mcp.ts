import { openLog } from '../capture/open-log.ts';
import { serve } from '../mcp/serve.ts';
import type { Call, Command } from './support/command.ts';

export const command: Command = {
  name: 'mcp',
  summary: 'Serve the memory tools over MCP, on stdin and stdout',
  usage: 'mcp [--from-plugin <agent>]',
  help: [
    'Agents start this: cairn install registers it. Ends when stdin ends.',
    "  --from-plugin <agent>   offer no tools if that agent's own configuration also starts Cairn's server",
  ].join('\n'),
  options: { 'from-plugin': { type: 'string' } },
  async run(call) {
    const { paths, env, settings, options, now, err } = call;
    const log = openLog({ folder: paths.logs, level: settings['log.level'], from: 'mcp', onTrouble: err });
    // The server stays silent for a model call of Cairn's own distiller, and if the agent has these tools already.
    const agent = options['from-plugin'];
    const isSilent = env.isGuarded || (typeof agent === 'string' && (await isRegistered(call, agent)));
    if (process.stdin.isTTY) err('Waiting for an agent on stdin. Press Ctrl-D to end.');
    await serve({
      ...{ paths, env, settings, log, now, cwd: process.cwd(), parentPid: process.ppid, isSilent },
      input: process.stdin,
      output: process.stdout,
    });
    return 0;
  },
};

/** Loads the installers of all agents only when needed: every session of an agent starts a server. */
async function isRegistered(call: Call, agent: string): Promise<boolean> {
  const { isServerRegistered } = await import('./support/registered-server.ts');
  return isServerRegistered(call, agent);
}
