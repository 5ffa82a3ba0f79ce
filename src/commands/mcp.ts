import { inspectServer } from '../agents/install/server-entry.ts';
import { openLog } from '../capture/open-log.ts';
import { serve } from '../mcp/serve.ts';
import { CONFIG_LIMIT, readRegularText } from '../platform/read-regular-file.ts';
import type { Call, Command } from './command.ts';
import { serverTarget } from './install-target.ts';

export const command: Command = {
  name: 'mcp',
  summary: "Serves the memory's tools to an agent (MCP, on stdin and stdout)",
  usage: 'mcp [--from-plugin]',
  help: [
    'Agents start this themselves: cairn install claude-code registers it. Ends when its input ends.',
    "  --from-plugin   offer no tools where the agent's own configuration starts Cairn's server too",
  ].join('\n'),
  options: { 'from-plugin': { type: 'boolean' } },
  async run(call) {
    const { paths, env, settings, options, now, err } = call;
    const log = openLog({ folder: paths.logs, level: settings['log.level'], from: 'mcp', onTrouble: err });
    // A model that distils for us needs no memory, nor does one that has these tools already.
    const isSilent = env.isGuarded || (options['from-plugin'] === true && isRegistered(call));
    if (process.stdin.isTTY) err('This waits for an agent to speak on stdin. End it with Ctrl-D.');
    await serve({
      ...{ paths, env, settings, log, now, cwd: process.cwd(), isSilent },
      input: process.stdin,
      output: process.stdout,
    });
    return 0;
  },
};

function isRegistered(call: Call): boolean {
  return [false, true].some((forProject) => {
    const { place, wanted } = serverTarget(call, 'claude-code', forProject);
    try {
      const state = inspectServer(readRegularText(place.path, CONFIG_LIMIT), wanted);
      return state === 'installed' || state === 'outdated';
    } catch {
      return false;
    }
  });
}
