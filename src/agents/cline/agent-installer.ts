import { join } from 'node:path';
import { isObject } from '../../model/json.ts';
import type { AgentInstaller, InstallPart, InstallPlace } from '../install/agent-installer.ts';
import { readMarkdownCommands } from '../install/command-files.ts';
import { createOwnFilePart } from '../install/own-file-part.ts';
import { buildPluginText } from '../install/plugin-text.ts';
import { commandAndArgs, createServerPart, type ServerShape } from '../install/server-part.ts';
import { cline } from './adapter.ts';
import { configFolder, dataFolder } from './config-folder.ts';
import { eventNames } from './read-events.ts';

export const installer: AgentInstaller = {
  id: cline.id,
  name: cline.name,
  program: 'cline',
  configFolder,
  verifiedWith: '3.0.65',
  // A plugin in the project would be loaded in addition to the person's, and each event would be reported twice.
  listParts: (place) => (place.project ? [] : [createPluginPart(place), createSettingsPart(place)]),
  // A workflow is a command: `/cairn-handoff`. Text after the command is appended to it.
  listCommands: (place) => ({
    folder: join(configFolder(place), 'workflows'),
    files: readMarkdownCommands(place, { fillsArguments: true }).map(({ name, text }) => ({
      name,
      text: text.replaceAll('$ARGUMENTS', '(see the end of this text)'),
    })),
  }),
};

/** A plugin, because there can be only one hook file per event, which the person may already have. */
function createPluginPart(place: InstallPlace): InstallPart {
  return createOwnFilePart({
    kind: 'hooks',
    label: 'the plugin',
    path: join(configFolder(place), 'plugins', 'cairn.js'),
    text: buildPluginText(cline.id, 'cline', place),
    events: eventNames,
  });
}

function createSettingsPart(place: InstallPlace): InstallPart {
  const path =
    place.variable('CLINE_MCP_SETTINGS_PATH') ??
    join(dataFolder(place), 'settings', 'cline_mcp_settings.json');
  return createServerPart({ path, within: ['mcpServers'], ...inTransport() }, place);
}

/** `{ "transport": { "type": "stdio", "command": "…", "args": […], "env": {…} } }` */
function inTransport(): Pick<ServerShape, 'build' | 'readCommand'> {
  const { build, readCommand } = commandAndArgs({ type: 'stdio' });
  return {
    build: (command, environment) => ({ transport: build(command, environment) }),
    readCommand: ({ transport }) => (isObject(transport) ? readCommand(transport) : null),
  };
}
