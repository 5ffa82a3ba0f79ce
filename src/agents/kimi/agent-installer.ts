import { join } from 'node:path';
import type { AgentInstaller } from '../install/agent-installer.ts';
import { readSkills } from '../install/command-files.ts';
import { commandAndArgs, createServerPart } from '../install/server-part.ts';
import { createTomlHooksPart } from '../install/toml-hooks-part.ts';
import { kimi } from './adapter.ts';
import { configFolder } from './config-folder.ts';
import { registeredEvents } from './events.ts';

export const installer: AgentInstaller = {
  id: kimi.id,
  name: kimi.name,
  program: 'kimi',
  configFolder,
  verifiedWith: '2.1.0',
  // Kimi reads hooks from the person's settings only.
  listParts: (place) =>
    place.project
      ? []
      : [
          createTomlHooksPart(
            { agent: kimi.id, path: join(configFolder(place), 'config.toml'), entries: registeredEvents },
            place,
          ),
          createServerPart(
            { path: join(configFolder(place), 'mcp.json'), within: ['mcpServers'], ...commandAndArgs() },
            place,
          ),
        ],
  listCommands: (place) => ({
    folder: join(configFolder(place), 'skills'),
    files: readSkills(place, { sign: '/skill:', folderOf: (name) => `cairn-${name}` }),
  }),
};
