import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentInstaller, InstallPart, InstallPlace } from '../install/agent-installer.ts';
import { findSettingsFile } from '../install/find-settings-file.ts';
import { createRulesPart } from '../install/rules-part.ts';
import { createServerPart } from '../install/server-part.ts';
import { createYamlServerPart } from '../install/yaml-server.ts';
import type { McpClient } from './client.ts';
import { mcpClients } from './clients.ts';

export const mcpOnlyInstallers: AgentInstaller[] = mcpClients.map(createMcpInstaller);

function createMcpInstaller(client: McpClient): AgentInstaller {
  const { id, name, program, folder, verifiedWith, check, project, rules } = client;
  return {
    id,
    name,
    program,
    configFolder: folder,
    verifiedWith,
    check,
    findRefusal: (place) => findMissingFile(client, place),
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
  const server = listServer(client, place, serverPath);
  if (rulesPath === undefined) return [server];
  const frontMatter = client.rules?.frontMatter;
  const isWanted = place.choices.hasServer;
  return [server, createRulesPart({ path: rulesPath, isWanted, ...(frontMatter && { frontMatter }) })];
}

function listServer(client: McpClient, place: InstallPlace, path: string): InstallPart {
  const { within, yaml, build, readCommand } = client.server;
  if (yaml) return createYamlServerPart({ path, within, form: yaml, build, readCommand }, place);
  const comments = client.mayHaveComments && { mayHaveComments: client.mayHaveComments };
  return createServerPart({ path, within: [within], build, readCommand, ...comments }, place);
}
