import { join } from 'node:path';
import type { AgentHome } from '../agent.ts';
import { readOwnCommands } from '../gemini/own-commands.ts';
import type { AgentInstaller, InstallPlace, Obstacle, ReadText } from '../install/agent-installer.ts';
import { createHooksPart } from '../install/hooks-part.ts';
import { findProperty, parseJsonText } from '../install/json-text.ts';
import { commandAndArgs, createServerPart } from '../install/server-part.ts';
import { qwen } from './adapter.ts';
import { configFolder } from './config-folder.ts';
import { registeredEvents } from './events.ts';

export const installer: AgentInstaller = {
  id: qwen.id,
  name: qwen.name,
  program: 'qwen',
  configFolder,
  verifiedWith: '0.24.4',
  canAllowTools: () => true,
  listParts(place) {
    const path = settingsPath(place);
    const via = place.project ? 'project' : 'settings';
    return [
      createHooksPart({ agent: qwen.id, path, entries: registeredEvents, name: 'cairn', via }, place),
      createServerPart(
        {
          path,
          within: ['mcpServers'],
          mayHaveComments: true,
          allowing: { trust: true },
          ...commandAndArgs(),
        },
        place,
      ),
    ];
  },
  listCommands: (place) => ({
    folder: join(settingsFolder(place), 'commands', 'cairn'),
    files: readOwnCommands(place),
  }),
  findObstacles,
};

function settingsFolder(place: AgentHome & Pick<InstallPlace, 'project'>): string {
  return place.project ? join(place.project.folder, '.qwen') : configFolder(place);
}

function settingsPath(place: AgentHome & Pick<InstallPlace, 'project'>): string {
  return join(settingsFolder(place), 'settings.json');
}

function findObstacles(place: InstallPlace, read: ReadText): Obstacle[] {
  const path = settingsPath(place);
  if (findProperty(parseJsonText(read(path) ?? ''), 'disableAllHooks')?.value !== true) return [];
  return [
    {
      message: `"disableAllHooks" is on in ${path}`,
      fix: 'Remove it there: no hook runs until then.',
      isEverywhere: true,
    },
  ];
}
