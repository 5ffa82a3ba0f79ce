import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentInstaller, InstallPart, InstallPlace } from '../install/agent-installer.ts';
import { readMarkdownCommands } from '../install/command-files.ts';
import { findSettingsFile } from '../install/find-settings-file.ts';
import { createPermissionPart } from '../install/permission-part.ts';
import { createRulesPart } from '../install/rules-part.ts';
import { createServerPart } from '../install/server-part.ts';
import { createYamlServerPart } from '../install/yaml-server.ts';
import type { McpClient } from './client.ts';
import { mcpClients } from './clients.ts';

export const mcpOnlyInstallers: AgentInstaller[] = mcpClients.map(createMcpInstaller);

export function createMcpInstaller(client: McpClient): AgentInstaller {
  const { id, name, program, folder, verifiedWith, check, project, rules } = client;
  const { allowRules = [], server, commands } = client;
  return {
    id,
    name,
    program,
    configFolder: folder,
    verifiedWith,
    check,
    canAllowTools: (place) =>
      server.allowing !== undefined || (allowRules.length > 0 && readsPermissions(client, place)),
    findRefusal: (place) => findMissingFile(client, place),
    ...(commands && {
      listCommands: (place) => ({
        folder: place.project
          ? join(place.project.folder, commands.inProject)
          : join(folder(place), commands.folder),
        files: readMarkdownCommands(place, { fillsArguments: true }),
      }),
    }),
    listParts(place) {
      if (place.project) {
        const checkout = place.project.folder;
        if (!project) return [];
        const ownRules = project.rules && join(checkout, project.rules);
        return listParts(client, place, join(checkout, project.server), ownRules);
      }
      const home = folder(place);
      return listParts(
        client,
        place,
        findSettingsFile(home, client.server.files),
        rules && join(home, rules.file),
      );
    },
  };
}

function findMissingFile({ name, folder, server }: McpClient, place: InstallPlace): string | null {
  const path = findSettingsFile(folder(place), server.files);
  if (!server.mustExist || existsSync(path)) return null;
  return `${name} has no ${path} yet. Create it with ${name}, then run this again.`;
}

function listParts(
  client: McpClient,
  place: InstallPlace,
  serverPath: string,
  rulesPath: string | undefined,
): InstallPart[] {
  const { allowRules = [], mayHaveComments } = client;
  const isWanted = place.choices.hasServer;
  const parts = [listServer(client, place, serverPath)];
  if (allowRules.length > 0 && readsPermissions(client, place)) {
    const comments = mayHaveComments && { mayHaveComments };
    parts.push(createPermissionPart({ path: serverPath, rules: allowRules, isWanted, ...comments }, place));
  }
  if (rulesPath !== undefined) {
    const frontMatter = client.rules?.frontMatter;
    parts.push(createRulesPart({ path: rulesPath, isWanted, ...(frontMatter && { frontMatter }) }));
  }
  return parts;
}

function readsPermissions({ project }: McpClient, place: InstallPlace): boolean {
  return place.project === null || !project?.ignoresPermissions;
}

function listServer(client: McpClient, place: InstallPlace, path: string): InstallPart {
  const { within, yaml, allowing = {}, build, readCommand } = client.server;
  if (yaml) return createYamlServerPart({ path, within, form: yaml, build, readCommand }, place);
  const comments = client.mayHaveComments && { mayHaveComments: client.mayHaveComments };
  return createServerPart({ path, within: [within], allowing, build, readCommand, ...comments }, place);
}
