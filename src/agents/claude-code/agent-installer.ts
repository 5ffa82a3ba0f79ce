import { dirname, join } from 'node:path';
import type { AgentHome } from '../agent.ts';
import type {
  AgentInstaller,
  InstallPart,
  InstallPlace,
  Obstacle,
  OwnPlugin,
  ReadText,
} from '../install/agent-installer.ts';
import { createHooksPart } from '../install/hooks-part.ts';
import { findProperty, listProperties, parseJsonText } from '../install/json-text.ts';
import { type AllowRule, createPermissionPart } from '../install/permission-part.ts';
import { commandAndArgs, createServerPart, SERVER_NAME } from '../install/server-part.ts';
import { claudeCode } from './adapter.ts';
import { clientConfigPath, configFolder } from './config-folder.ts';
import { registeredEvents } from './events.ts';
import { listOptionalPrograms } from './optional-programs.ts';
import { readOwnCommands } from './own-commands.ts';
import { findRejectedSetting } from './rejected-settings.ts';

export const installer: AgentInstaller = {
  id: claudeCode.id,
  name: claudeCode.name,
  program: 'claude',
  configFolder,
  verifiedWith: '2.1.325',
  canAllowTools: () => true,
  listParts: (place) => [
    listHooks(place),
    ...listOptionalPrograms(settingsPath(place), place),
    listPermission(place),
    listServer(place),
  ],
  listCommands: (place) => ({ folder: commandsFolder(settingsPath(place)), files: readOwnCommands(place) }),
  findPlugin,
  findObstacles,
};

export function settingsPath(where: AgentHome & Pick<InstallPlace, 'project'>): string {
  if (where.project) return join(where.project.folder, '.claude', 'settings.json');
  return join(configFolder(where), 'settings.json');
}

/** The settings of the person, and of the checkout in which the command runs. */
function listSettings(place: InstallPlace): string[] {
  const { folder } = place;
  return [null, { folder, repository: folder }].map((project) => settingsPath({ ...place, project }));
}

/** Next to the settings. Each file there is a command with the folder's name as prefix: `/cairn:handoff`. */
function commandsFolder(settings: string): string {
  return join(dirname(settings), 'commands', 'cairn');
}

function listHooks(place: InstallPlace): InstallPart {
  const wanted = { agent: claudeCode.id, path: settingsPath(place), entries: registeredEvents };
  const part = createHooksPart(wanted, place);
  // The client ignores the whole file if one value is wrong.
  const refuseRejected = (text: string | null) => {
    const rejected = text === null || text === '' ? null : findRejectedSetting(text);
    if (rejected) throw rejected;
  };
  return {
    ...part,
    isPlainJson: true,
    install(text) {
      refuseRejected(text);
      return part.install(text);
    },
    inspect(text) {
      refuseRejected(text);
      return part.inspect(text);
    },
  };
}

function listPermission(place: InstallPlace): InstallPart {
  const rule: AllowRule = { list: ['permissions', 'allow'], text: `mcp__${SERVER_NAME}__*` };
  return createPermissionPart({ path: settingsPath(place), rules: [rule] }, place);
}

/** Registers the server for every project, or for one. */
function listServer(place: InstallPlace): InstallPart {
  const { project } = place;
  return createServerPart(
    {
      path: clientConfigPath(place),
      within: project ? ['projects', project.repository, 'mcpServers'] : ['mcpServers'],
      // Without alwaysLoad the model would have to search for the tools before it can call one, which it does not do.
      ...commandAndArgs({ type: 'stdio' }, { alwaysLoad: true }),
    },
    place,
  );
}

/** `cairn@<marketplace>` in the settings. */
function findPlugin(place: InstallPlace, read: ReadText): OwnPlugin | null {
  for (const path of listSettings(place)) {
    const plugins = listProperties(findProperty(parseJsonText(read(path) ?? ''), 'enabledPlugins'));
    const name = plugins.find(({ key, value }) => key.startsWith('cairn@') && value.value === true)?.key;
    if (name) return { name, removal: `claude plugin uninstall ${name}` };
  }
  return null;
}

function findObstacles(place: InstallPlace, read: ReadText): Obstacle[] {
  const obstacles: Obstacle[] = [];
  for (const path of listSettings(place))
    if (findProperty(parseJsonText(read(path) ?? ''), 'disableAllHooks')?.value === true)
      obstacles.push({
        message: `"disableAllHooks" is on in ${path}`,
        fix: 'Remove it there: no hook runs until then.',
        isEverywhere: true,
      });
  const { folder } = place;
  const projects = findProperty(parseJsonText(read(clientConfigPath(place)) ?? ''), 'projects');
  if (findProperty(findProperty(projects, folder), 'hasTrustDialogAccepted')?.value === false)
    obstacles.push({
      message: `${folder} is not trusted yet, so no hook runs there`,
      fix: 'Start claude there once and accept.',
      isEverywhere: false,
    });
  return obstacles;
}
