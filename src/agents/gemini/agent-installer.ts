import { join } from 'node:path';
import { VERSION } from '../../platform/version.ts';
import type { AgentInstaller, InstallPart, InstallPlace } from '../install/agent-installer.ts';
import { createHooksPart } from '../install/hooks-part.ts';
import { createOwnFilePart } from '../install/own-file-part.ts';
import { OWN_MARK } from '../install/own-mark.ts';
import { commandAndArgs, createServerPart, SERVER_NAME } from '../install/server-part.ts';
import { gemini } from './adapter.ts';
import { configFolder } from './config-folder.ts';
import { registeredEvents } from './events.ts';
import { readOwnCommands } from './own-commands.ts';

/** Uses an extension for all projects and the settings for one, because an extension cannot belong to one project. */
export const installer: AgentInstaller = {
  id: gemini.id,
  name: gemini.name,
  program: 'gemini',
  configFolder,
  verifiedWith: '0.61.0',
  canAllowTools: () => true,
  listParts: (place) =>
    place.project ? listProjectParts(place, place.project.folder) : listExtension(place),
  listCommands: (place) => ({
    folder: join(
      place.project ? join(place.project.folder, '.gemini') : extensionFolder(place),
      'commands',
      'cairn',
    ),
    files: readOwnCommands(place),
  }),
};

function extensionFolder(place: InstallPlace): string {
  return join(configFolder(place), 'extensions', 'cairn');
}

function listExtension(place: InstallPlace): InstallPart[] {
  return [
    listManifest(place),
    createHooksPart(
      {
        agent: gemini.id,
        path: join(extensionFolder(place), 'hooks', 'hooks.json'),
        entries: registeredEvents,
        name: 'cairn',
      },
      place,
    ),
  ];
}

/** The manifest also has the server. Tools that were once allowed stay allowed. */
function listManifest(place: InstallPlace): InstallPart {
  const { choices } = place;
  const [usual, allowing] = [createManifest(place, false), createManifest(place, true)];
  const partFor = (text: string | null) =>
    choices.allowsTools || text?.includes('"trust": true') ? allowing : usual;
  const [command = '', ...args] = [...place.cairn, 'mcp'];
  return {
    ...usual,
    install: (text) => partFor(text).install(text),
    inspect: (text) => partFor(text).inspect(text),
    ...(choices.hasServer && { server: { command, args } }),
  };
}

function createManifest(place: InstallPlace, isTrusted: boolean): InstallPart {
  const { cairn, cairnHome, choices } = place;
  const [command, ...args] = [...cairn, 'mcp'];
  const env = cairnHome === undefined ? {} : { env: { CAIRN_HOME: cairnHome } };
  const server = { command, args, ...env, ...(isTrusted && { trust: true }) };
  const manifest = {
    name: 'cairn',
    version: VERSION,
    about: OWN_MARK,
    ...(choices.hasServer && { mcpServers: { [SERVER_NAME]: server } }),
  };
  return createOwnFilePart({
    kind: choices.hasServer ? 'mcp server' : 'extension',
    label: 'an extension',
    path: join(extensionFolder(place), 'gemini-extension.json'),
    text: `${JSON.stringify(manifest, null, 2)}\n`,
  });
}

function listProjectParts(place: InstallPlace, project: string): InstallPart[] {
  const path = join(project, '.gemini', 'settings.json');
  return [
    createHooksPart(
      { agent: gemini.id, path, entries: registeredEvents, name: 'cairn', via: 'project' },
      place,
    ),
    createServerPart(
      {
        path,
        within: ['mcpServers'],
        mayHaveComments: true,
        ...commandAndArgs({}, place.choices.allowsTools ? { trust: true } : {}),
      },
      place,
    ),
  ];
}
