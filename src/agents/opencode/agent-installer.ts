import { join } from 'node:path';
import type { Agent } from '../agent.ts';
import type { AgentInstaller, InstallPart, InstallPlace } from '../install/agent-installer.ts';
import { readCommandTexts } from '../install/command-texts.ts';
import { findSettingsFile } from '../install/find-settings-file.ts';
import { createOwnFilePart } from '../install/own-file-part.ts';
import { createPermissionPart } from '../install/permission-part.ts';
import { buildPluginText } from '../install/plugin-text.ts';
import { createServerPart, SERVER_NAME } from '../install/server-part.ts';
import { opencode } from './adapter.ts';
import { xdgFolder } from './config-folder.ts';
import { eventNames } from './read-events.ts';

export const installer = createOpenCodeInstaller(opencode, {
  program: 'opencode',
  configFolder: xdgFolder('opencode'),
  verifiedWith: '1.18.33',
  settings: ['opencode.jsonc', 'opencode.json'],
});

export interface OpenCodeClient extends Pick<AgentInstaller, 'program' | 'configFolder' | 'verifiedWith'> {
  /** The names of its settings file: the first that exists is used, else the last. */
  settings: string[];
}

/** For every agent that loads OpenCode's plugins. */
export function createOpenCodeInstaller(
  { id, name }: Pick<Agent, 'id' | 'name'>,
  { settings, ...client }: OpenCodeClient,
): AgentInstaller {
  return {
    id,
    name,
    ...client,
    canAllowTools: () => true,
    // A plugin in the project would be loaded in addition to the person's, and each event would be reported twice.
    listParts: (place) =>
      place.project
        ? []
        : [
            createPluginPart(id, client.configFolder(place), place),
            createSettingsPart(findSettingsFile(client.configFolder(place), settings), place),
            createToolsPart(findSettingsFile(client.configFolder(place), settings), place),
          ],
    // A file there is a command named after its path: `/cairn/handoff`.
    listCommands: (place) => ({
      folder: join(client.configFolder(place), 'commands', 'cairn'),
      files: readCommandTexts(place).map(({ name, description, body }) => ({
        name: `${name}.md`,
        text: `---\ndescription: ${JSON.stringify(description)}\n---\n\n${body}`,
      })),
    }),
  };
}

function createPluginPart(agent: string, folder: string, place: InstallPlace): InstallPart {
  return createOwnFilePart({
    kind: 'hooks',
    label: 'the plugin',
    path: join(folder, 'plugins', 'cairn.js'),
    text: buildPluginText(agent, 'opencode', place),
    events: eventNames,
  });
}

/** Comments are common in these settings, so they are kept. */
function createSettingsPart(path: string, place: InstallPlace): InstallPart {
  const { isPlainJson: _, ...part } = createServerPart(
    {
      path,
      within: ['mcp'],
      build: (command, environment) => ({
        type: 'local',
        command,
        enabled: true,
        ...(Object.keys(environment).length > 0 && { environment }),
      }),
      readCommand: ({ command }) => (Array.isArray(command) ? command.map(String) : null),
    },
    place,
  );
  return part;
}

/** OpenCode asks before a tool only if a rule in the settings demands it; the last matching rule counts. */
function createToolsPart(path: string, place: InstallPlace): InstallPart {
  const rule = { within: ['permission'], name: `${SERVER_NAME}_*`, value: 'allow' };
  const isWanted = place.choices.hasServer;
  return createPermissionPart({ path, rules: [rule], isWanted, mayHaveComments: true }, place);
}
