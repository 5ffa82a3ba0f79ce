import { isObject, type Json, type JsonObject } from '../../model/json.ts';
import type { InstallPart, InstallPlace } from './agent-installer.ts';
import { inspectServer, installServer, removeServer, type WantedServer } from './server-entry.ts';

/** The name of Cairn's MCP server everywhere. */
export const SERVER_NAME = 'cairn';

export interface ServerShape {
  path: string;
  /** The keys that lead to the agent's servers. */
  within: string[];
  /** The agent reads the file although it has comments. */
  mayHaveComments?: true;
  /** The entry as this agent wants it. The environment is that of the server. */
  build(command: string[], environment: JsonObject): JsonObject;
  /** The command line in such an entry; null if there is none. */
  readCommand(entry: JsonObject): string[] | null;
}

/** For `{ "command": "…", "args": […], "env": {…} }`, with fields of the agent before and after. */
export function commandAndArgs(
  before: JsonObject = {},
  after: JsonObject = {},
): Pick<ServerShape, 'build' | 'readCommand'> {
  return {
    build: ([command = '', ...args], env) => ({ ...before, command, args, env, ...after }),
    readCommand: ({ command, args }) => (Array.isArray(args) ? [command ?? '', ...args].map(String) : null),
  };
}

/** Cairn's MCP server in a JSON file of the agent. */
export function createServerPart(
  shape: ServerShape,
  { cairn, cairnHome, choices }: InstallPlace,
): InstallPart {
  const command = [...cairn, 'mcp'];
  const environment: JsonObject = cairnHome === undefined ? {} : { CAIRN_HOME: cairnHome };
  const value = shape.build(command, environment);
  const wanted: WantedServer = {
    within: shape.within,
    name: SERVER_NAME,
    value,
    renew(known) {
      if (!isOurs(known, shape)) return null;
      const { CAIRN_HOME: _, ...theirs } = isObject(known.env) ? known.env : {};
      // What the person has changed stays; the program and the home are ours.
      return { ...known, ...programFields(shape.build(command, { ...theirs, ...environment })) };
    },
  };
  return {
    kind: 'mcp server',
    label: 'the MCP server',
    path: shape.path,
    isWanted: choices.hasServer,
    ...(!shape.mayHaveComments && { isPlainJson: true }),
    install: (text) => installServer(text, wanted),
    remove: (text, made) => removeServer(text, wanted, made),
    inspect: (text) => inspectServer(text, wanted),
    explain: (state) =>
      state === 'foreign'
        ? `${shape.path} has another server named "${SERVER_NAME}". It was not changed, and Cairn's server is not registered.`
        : undefined,
    server: { command: command[0] ?? '', args: command.slice(1) },
  };
}

const PROGRAM_FIELDS = ['type', 'command', 'args', 'env', 'environment', 'transport'];

function programFields(entry: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(entry).filter(([key]) => PROGRAM_FIELDS.includes(key)));
}

function isOurs(known: Json, { readCommand }: ServerShape): known is JsonObject {
  const line = isObject(known) ? readCommand(known) : null;
  return line !== null && isCairnServer(line);
}

/** Matches command lines from any Cairn version and install path. */
export function isCairnServer(line: string[]): boolean {
  return line.at(-1) === 'mcp' && /[\\/](?:cli\.mjs|bin[\\/]cairn)$/.test(line.at(-2) ?? '');
}
