import { join } from 'node:path';
import type { AgentInstaller, InstallPart, InstallPlace } from '../install/agent-installer.ts';
import { readSkills } from '../install/command-files.ts';
import { buildHookCommand } from '../install/hook-command.ts';
import { createOwnFilePart } from '../install/own-file-part.ts';
import { OWN_MARK } from '../install/own-mark.ts';
import { commandAndArgs, createServerPart } from '../install/server-part.ts';
import { copilot } from './adapter.ts';
import { configFolder } from './config-folder.ts';
import { registeredEvents } from './events.ts';

export const installer: AgentInstaller = {
  id: copilot.id,
  name: copilot.name,
  program: 'copilot',
  configFolder,
  verifiedWith: '1.0.102',
  // Hooks in the project would run in addition to the person's, and each event would be reported twice.
  listParts: (place) => (place.project ? [] : [listHooks(place), listServer(place)]),
  listCommands: (place) => ({
    folder: join(configFolder(place), 'skills'),
    files: readSkills(place, { sign: '/', folderOf: (name) => `cairn-${name}` }),
  }),
};

/** The client reads every file of this folder. */
function listHooks(place: InstallPlace): InstallPart {
  const command = buildHookCommand(copilot.id, place);
  const part = createOwnFilePart({
    kind: 'hooks',
    label: `${registeredEvents.length} hooks`,
    path: join(configFolder(place), 'hooks', 'cairn.json'),
    text: formatHooks(place, command),
  });
  const inspect = (text: string | null) => {
    const state = part.inspect(text) === 'installed' ? 'installed' : 'missing';
    return registeredEvents.map(({ event }) => ({ event, state }) as const);
  };
  return { ...part, hooks: { events: registeredEvents.map(({ event }) => event), inspect, command } };
}

function formatHooks({ platform }: InstallPlace, command: (event: string) => string): string {
  // PowerShell prints a quoted path unless it is called with `&`.
  const inShell = (event: string) =>
    platform === 'win32' ? { powershell: `& ${command(event)}` } : { bash: command(event) };
  const hooks = registeredEvents.map(({ event, timeout }) => [
    event,
    [{ type: 'command', ...inShell(event), timeoutSec: timeout }],
  ]);
  const file = { version: 1, description: OWN_MARK, hooks: Object.fromEntries(hooks) };
  return `${JSON.stringify(file, null, 2)}\n`;
}

function listServer(place: InstallPlace): InstallPart {
  return createServerPart(
    {
      path: join(configFolder(place), 'mcp-config.json'),
      within: ['mcpServers'],
      ...commandAndArgs({ type: 'local' }, { tools: ['*'] }),
    },
    place,
  );
}
