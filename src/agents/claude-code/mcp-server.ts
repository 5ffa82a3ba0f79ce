import { isObject, type Json, type JsonObject } from '../../model/json.ts';
import type { WantedServer } from '../install/server-entry.ts';

export const SERVER_NAME = 'cairn';

export interface ServerParts {
  /** What starts `cairn`, with absolute paths: the client may be started with any PATH. */
  program: [command: string, ...args: string[]];
  /** Where it is not the usual one. */
  cairnHome?: string;
  /** The repository for which alone it is registered. */
  project?: string;
}

/** How the client starts our server, in its own configuration: for every project, or for one. */
export function buildServerEntry({
  program: [program, ...args],
  cairnHome,
  project,
}: ServerParts): WantedServer {
  const command: JsonObject = { type: 'stdio', command: program, args: [...args, 'mcp'] };
  const environment: JsonObject = cairnHome === undefined ? {} : { CAIRN_HOME: cairnHome };
  return {
    within: project === undefined ? ['mcpServers'] : ['projects', project, 'mcpServers'],
    name: SERVER_NAME,
    // Otherwise the model has to look for the tools before it can call one, and does not look.
    value: { ...command, env: environment, alwaysLoad: true },
    renew(known) {
      if (!isOurs(known)) return null;
      const { CAIRN_HOME: _, ...theirs } = isObject(known.env) ? known.env : {};
      return { ...known, ...command, env: { ...theirs, ...environment } };
    },
  };
}

/** Matches entries from any Cairn version and install path. */
function isOurs(known: Json): known is JsonObject {
  if (!isObject(known) || !Array.isArray(known.args)) return false;
  const line = [known.command, ...known.args].map(String);
  return line.at(-1) === 'mcp' && /[\\/](?:cli\.mjs|bin[\\/]cairn)$/.test(line.at(-2) ?? '');
}
