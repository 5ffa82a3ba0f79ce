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
  // An extension of the project would be loaded beside that of the person, and each event would come twice.
  listParts: (place) => (place.project ? [] : [createExtensionPart(place)]),
  // Templates are commands, and only files directly in this folder: `/cairn-handoff`.
  listCommands: (place) => ({
    folder: join(configFolder(place), 'prompts'),
    files: readMarkdownCommands(place, { fillsArguments: true }),
  }),
};

/** Pi has no MCP client: the extension starts our server and registers its tools. */
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
