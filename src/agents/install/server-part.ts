import { isObject, type Json, type JsonObject } from '../../model/json.ts';
import type { InstallPart, InstallPlace } from './agent-installer.ts';
import { inspectServer, installServer, removeServer, type WantedServer } from './server-entry.ts';

/** The name of Cairn's MCP server everywhere. */
export const SERVER_NAME = 'cairn';

export interface ServerShape {
  path: string;
  /** The keys that lead to the agent's servers. */
  within: string[];
  /** The agent accepts comments in the file. */
  mayHaveComments?: true;
  /** Fields of the entry that let the agent use the tools without asking. */
  allowing?: JsonObject;
  /** Builds the entry in the form of this agent. `environment` is for the server. */
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
export function createServerPart(shape: ServerShape, place: InstallPlace): InstallPart {
  const wanted = describeServer(shape, place);
  const [command = '', ...args] = commandLineOf(place);
  return {
    kind: 'mcp server',
    label: 'the MCP server',
    path: shape.path,
    isWanted: place.choices.hasServer,
    ...(!shape.mayHaveComments && { isPlainJson: true }),
    install: (text) => installServer(text, wanted),
    remove: (text, made) => removeServer(text, wanted, made),
    inspect: (text) => inspectServer(text, wanted),
    explain: (state) => (state === 'foreign' ? describeForeignServer(shape.path) : undefined),
    server: { command, args },
  };
}

/** The entry that an agent should have, and how an existing one is updated. */
export function describeServer(shape: Omit<ServerShape, 'path'>, place: InstallPlace): WantedServer {
  const { cairnHome, choices } = place;
  const allowing = choices.allowsTools ? shape.allowing : {};
  const command = commandLineOf(place);
  const environment: JsonObject = cairnHome === undefined ? {} : { CAIRN_HOME: cairnHome };
  return {
    within: shape.within,
    name: SERVER_NAME,
    value: { ...shape.build(command, environment), ...allowing },
    renew(known) {
      if (!isOurs(known, shape)) return null;
      const { CAIRN_HOME: _, ...theirs } = environmentIn(known);
      // Keeps the person's changes, except to the program and the home.
      return {
        ...known,
        ...programFields(shape.build(command, { ...theirs, ...environment })),
        ...allowing,
      };
    },
  };
}

/** The command line that starts the server. */
export function commandLineOf({ cairn }: Pick<InstallPlace, 'cairn'>): string[] {
  return [...cairn, 'mcp'];
}

export function describeForeignServer(path: string): string {
  return `${path} has another server named "${SERVER_NAME}". It was not changed, and Cairn's server is not registered.`;
}

const ENVIRONMENT_FIELDS = ['env', 'envs', 'environment'];
const PROGRAM_FIELDS = ['type', 'command', 'cmd', 'args', 'transport', ...ENVIRONMENT_FIELDS];

function environmentIn(entry: JsonObject): JsonObject {
  return ENVIRONMENT_FIELDS.map((field) => entry[field]).find(isObject) ?? {};
}

function programFields(entry: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(entry).filter(([key]) => PROGRAM_FIELDS.includes(key)));
}

function isOurs(known: Json, { readCommand }: Pick<ServerShape, 'readCommand'>): known is JsonObject {
  const line = isObject(known) ? readCommand(known) : null;
  return line !== null && isCairnServer(line);
}

/** Matches command lines from any Cairn version and install path. */
export function isCairnServer(line: string[]): boolean {
  return line.at(-1) === 'mcp' && /[\\/](?:cli\.mjs|bin[\\/]cairn)$/.test(line.at(-2) ?? '');
}
