import { join } from 'node:path';
import type { AgentInstaller, InstallPart, InstallPlace } from '../install/agent-installer.ts';
import { readMarkdownCommands } from '../install/command-files.ts';
import { createOwnFilePart } from '../install/own-file-part.ts';
import { buildPluginText } from '../install/plugin-text.ts';
import { pi } from './adapter.ts';
import { configFolder } from './config-folder.ts';
import { eventNames } from './read-events.ts';

export const installer: AgentInstaller = {
  id: pi.id,
  name: pi.name,
  program: 'pi',
  configFolder,
  verifiedWith: '0.87.1',
  // An extension in the project would be loaded in addition to the person's, and each event would be reported twice.
  listParts: (place) => (place.project ? [] : [createExtensionPart(place)]),
  // Templates directly in this folder are commands: `/cairn-handoff`.
  listCommands: (place) => ({
    folder: join(configFolder(place), 'prompts'),
    files: readMarkdownCommands(place, { fillsArguments: true }),
  }),
};

/** Pi has no MCP client, so the extension starts Cairn's server and registers its tools. */
function createExtensionPart(place: InstallPlace): InstallPart {
  const [command, ...args] = place.cairn;
  return {
    ...createOwnFilePart({
      kind: 'hooks',
      label: place.choices.hasServer ? 'the extension with the tools' : 'the extension',
      path: join(configFolder(place), 'extensions', 'cairn.js'),
      text: buildPluginText(pi.id, 'pi', place),
      events: eventNames,
    }),
    ...(place.choices.hasServer && { server: { command, args: [...args, 'mcp'] } }),
  };
}
