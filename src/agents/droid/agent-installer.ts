import { join } from 'node:path';
import type { AgentHome } from '../agent.ts';
import type { AgentInstaller, InstallPlace, Obstacle, ReadText } from '../install/agent-installer.ts';
import { readMarkdownCommands } from '../install/command-files.ts';
import { createHooksPart } from '../install/hooks-part.ts';
import { findProperty, parseJsonText } from '../install/json-text.ts';
import { commandAndArgs, createServerPart } from '../install/server-part.ts';
import { droid } from './adapter.ts';
import { configFolder } from './config-folder.ts';
import { registeredEvents } from './events.ts';

/** Hooks go into the settings, because a new `hooks.json` would replace the person's own hooks there. */
export const installer: AgentInstaller = {
  id: droid.id,
  name: droid.name,
  program: 'droid',
  configFolder,
  verifiedWith: '0.225.2',
  listParts(place) {
    const folder = settingsFolder(place);
    const via = place.project ? 'project' : 'settings';
    return [
      createHooksPart(
        { agent: droid.id, path: join(folder, 'settings.json'), entries: registeredEvents, via },
        place,
      ),
      createServerPart(
        {
          path: join(folder, 'mcp.json'),
          within: ['mcpServers'],
          ...commandAndArgs({ type: 'stdio' }, { disabled: false }),
        },
        place,
      ),
    ];
  },
  listCommands: (place) => ({
    folder: join(settingsFolder(place), 'commands'),
    files: readMarkdownCommands(place, { fillsArguments: true }),
  }),
  findObstacles,
};

function settingsFolder(place: AgentHome & Pick<InstallPlace, 'project'>): string {
  return place.project ? join(place.project.folder, '.factory') : configFolder(place);
}

/** A list of hooks in `hooks.json` replaces the list for the same event in the settings. */
function findObstacles(place: InstallPlace, read: ReadText): Obstacle[] {
  const path = join(settingsFolder(place), 'hooks.json');
  const root = readRoot(read(path) ?? '');
  const replaced = registeredEvents
    .map(({ event }) => event)
    .filter((event) => (findProperty(root, event)?.children ?? []).length > 0);
  if (replaced.length === 0) return [];
  return [
    {
      message: `${path} has hooks for ${replaced.join(', ')}, so Droid ignores those of the settings, and Cairn's with them`,
      fix: 'Move them to "hooks" in settings.json next to it.',
      isEverywhere: true,
    },
  ];
}

/** Droid ignores the file if it is not valid. */
function readRoot(text: string) {
  try {
    return parseJsonText(text);
  } catch {
    return undefined;
  }
}
