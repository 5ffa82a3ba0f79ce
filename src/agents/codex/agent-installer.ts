import { join } from 'node:path';
import type { AgentHome } from '../agent.ts';
import type { AgentInstaller, InstallPlace, Obstacle, ReadText } from '../install/agent-installer.ts';
import { readSkills } from '../install/command-files.ts';
import { isHookCommand } from '../install/hook-command.ts';
import { createHooksPart } from '../install/hooks-part.ts';
import { createTomlServerPart } from '../install/toml-server.ts';
import { codex } from './adapter.ts';
import { createInquiry, describeUntrusted } from './app-server.ts';
import { configFolder } from './config-folder.ts';
import { registeredEvents } from './events.ts';
import { findUntrusted } from './hook-trust.ts';

export const installer: AgentInstaller = {
  id: codex.id,
  name: codex.name,
  program: 'codex',
  configFolder,
  verifiedWith: '0.166.0',
  canAllowTools: () => true,
  listParts: (place) => [
    {
      ...createHooksPart(
        {
          agent: codex.id,
          path: hooksPath(place),
          entries: registeredEvents,
          via: place.project ? 'project' : 'settings',
          keepsPositions: true,
        },
        place,
      ),
      isPlainJson: true,
    },
    createTomlServerPart(
      {
        path: join(settingsFolder(place), 'config.toml'),
        within: 'mcp_servers',
        allowing: { default_tools_approval_mode: 'approve' },
      },
      place,
    ),
  ],
  listCommands: (place) => ({
    folder: join(settingsFolder(place), 'skills', 'cairn'),
    files: readSkills(place, { sign: '$', folderOf: (name) => name }),
  }),
  findObstacles,
  inquiry: createInquiry(codex.id),
};

function settingsFolder(place: AgentHome & Pick<InstallPlace, 'project'>): string {
  return place.project ? join(place.project.folder, '.codex') : configFolder(place);
}

function hooksPath(place: AgentHome & Pick<InstallPlace, 'project'>): string {
  return join(settingsFolder(place), 'hooks.json');
}

/** Reads the files, because Codex should not be started by every installation and every `cairn status`. */
function findObstacles(place: InstallPlace, read: ReadText): Obstacle[] {
  const path = hooksPath(place);
  const files = {
    hooksPath: path,
    hooks: read(path) ?? '',
    // It also has the trust in a project's hooks.
    config: read(join(configFolder(place), 'config.toml')) ?? '',
  };
  const untrusted = findUntrusted(files, (command) => isHookCommand(codex.id, command));
  if (untrusted.length === 0) return [];
  return [{ ...describeUntrusted(untrusted), isEverywhere: true }];
}
