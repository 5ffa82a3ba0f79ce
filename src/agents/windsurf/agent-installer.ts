import { join } from 'node:path';
import type { AgentInstaller, InstallPart, InstallPlace } from '../install/agent-installer.ts';
import { readMarkdownCommands } from '../install/command-files.ts';
import { createFlatHooksPart } from '../install/flat-hooks-part.ts';
import { buildHookCommand, isHookCommand } from '../install/hook-command.ts';
import { createRulesPart } from '../install/rules-part.ts';
import { commandAndArgs, createServerPart } from '../install/server-part.ts';
import { windsurf } from './adapter.ts';
import { configFolder } from './config-folder.ts';
import { registeredEvents } from './events.ts';

export const installer: AgentInstaller = {
  id: windsurf.id,
  name: windsurf.name,
  program: 'windsurf',
  configFolder,
  verifiedWith: null,
  // Hooks in the project would run in addition to the person's, and each event would be reported twice.
  listParts: (place) => (place.project ? [] : [listHooks(place), listServer(place), listRules(place)]),
  // Windsurf's name for commands is workflows.
  listCommands: (place) => ({
    folder: join(configFolder(place), 'global_workflows'),
    files: readMarkdownCommands(place, { fillsArguments: false }),
  }),
  findRefusal: ({ platform }) =>
    platform === 'win32' ? 'Windsurf can be connected on Linux and macOS only.' : null,
};

function listHooks(place: InstallPlace): InstallPart {
  const build = buildHookCommand(windsurf.id, place);
  return createFlatHooksPart({
    path: join(configFolder(place), 'hooks.json'),
    entries: registeredEvents.map((event) => ({ event, fields: { show_output: false } })),
    // Payloads do not contain the working folder, but hooks run in it.
    command: (event) => `export CLAUDE_PROJECT_DIR="$PWD"; ${build(event)}`,
    isOurs: (command) => isHookCommand(windsurf.id, command),
  });
}

function listServer(place: InstallPlace): InstallPart {
  const path = join(configFolder(place), 'mcp_config.json');
  return createServerPart({ path, within: ['mcpServers'], ...commandAndArgs() }, place);
}

function listRules(place: InstallPlace): InstallPart {
  return createRulesPart({
    path: join(configFolder(place), 'memories', 'global_rules.md'),
    isWanted: place.choices.hasServer,
  });
}
