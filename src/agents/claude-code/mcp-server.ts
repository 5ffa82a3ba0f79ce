import { isObject, type Json, type JsonObject } from '../../model/json.ts';
import type { WantedServer } from '../install/server-entry.ts';

export const SERVER_NAME = 'cairn';

export interface ServerParts {
  program: [command: string, ...args: string[]];
  /** Only if it is not the default. */
  cairnHome?: string;
  /** Set if the server is registered for one repository only. */
  project?: string;
}

/** The server entry in the client's configuration: for every project, or for one. */
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
    // Otherwise the model has to search for the tools before it can call one, and it does not.
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
