import { isObject, type Json, type JsonObject } from '../model/json.ts';
import { shorten } from '../model/shorten.ts';

/**
 * The part of the Model Context Protocol that a server with only tools needs, in both forms: the older one, in which
 * a client introduces itself once (`initialize`), and that of 2026-07-28, in which every request names its protocol.
 * Each request shows which form it uses.
 */

/** Newest first. A client that asks for an unknown version gets the newest. */
const INTRODUCED_VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const;
const STATELESS_VERSION = '2026-07-28';

const META = 'io.modelcontextprotocol';
const METHOD_NOT_FOUND = -32601;
const INVALID_PARAMS = -32602;
const UNSUPPORTED_VERSION = -32022;

export interface ServerDescription {
  name: string;
  version: string;
  instructions: string;
  tools: JsonObject[];
  /** @returns the result of `tools/call`, including errors; undefined if the tool does not exist. */
  call(tool: string, args: Json, client: string): Promise<JsonObject | undefined>;
}

export interface Client {
  name?: string;
  hasRoots: boolean;
}

/** Answers one client. Never throws, whatever the client sends. */
export interface Conversation {
  /** @returns the answer, or undefined for a notification. */
  answer(message: JsonObject): Promise<JsonObject | undefined>;
  client(): Client;
}

export function createConversation(server: ServerDescription): Conversation {
  const client: Client = { hasRoots: false };

  async function answer(message: JsonObject): Promise<JsonObject | undefined> {
    const { id, method } = message;
    // A message without an id is a notification, which needs no answer.
    if (typeof method !== 'string' || (typeof id !== 'string' && typeof id !== 'number')) return undefined;
    const params = isObject(message.params) ? message.params : {};
    const meta = isObject(params._meta) ? params._meta : {};
    const isStateless = meta[`${META}/protocolVersion`] !== undefined;
    const reply = isStateless
      ? await answerStateless(server, client, { method, params, meta })
      : await answerIntroduced(server, client, { method, params });
    return { jsonrpc: '2.0', id, ...reply };
  }

  return { answer, client: () => client };
}

/** The older form: the client introduces itself once. */
async function answerIntroduced(
  server: ServerDescription,
  client: Client,
  { method, params }: { method: string; params: JsonObject },
): Promise<Reply> {
  if (method === 'initialize') {
    recordClient(client, params.clientInfo, params.capabilities);
    return introduceServer(server, params.protocolVersion);
  }
  if (method === 'ping') return result({});
  if (method === 'tools/list') return result({ tools: server.tools });
  if (method === 'tools/call') return callTool(server, client, params);
  return error(METHOD_NOT_FOUND, 'Method not found');
}

function introduceServer(
  { name, version, instructions }: ServerDescription,
  wanted: Json | undefined,
): Reply {
  return result({
    protocolVersion: INTRODUCED_VERSIONS.find((known) => known === wanted) ?? INTRODUCED_VERSIONS[0],
    capabilities: { tools: {} },
    serverInfo: { name, version },
    ...(instructions && { instructions }),
  });
}

/** The newer form: every request names its protocol and client. */
async function answerStateless(
  server: ServerDescription,
  client: Client,
  { method, params, meta }: { method: string; params: JsonObject; meta: JsonObject },
): Promise<Reply> {
  const version = meta[`${META}/protocolVersion`];
  if (version !== STATELESS_VERSION) return refuseVersion(version);
  const capabilities = meta[`${META}/clientCapabilities`];
  if (!isObject(capabilities))
    return error(INVALID_PARAMS, `Invalid _meta: ${META}/clientCapabilities is missing or no object`);
  recordClient(client, meta[`${META}/clientInfo`], capabilities);

  if (method === 'server/discover') return complete(server, { ...discover(server), ...NOT_TO_BE_KEPT });
  if (method === 'tools/list') return complete(server, { tools: server.tools, ...NOT_TO_BE_KEPT });
  if (method === 'tools/call') {
    const reply = await callTool(server, client, params);
    return 'result' in reply ? complete(server, reply.result) : reply;
  }
  return error(METHOD_NOT_FOUND, 'Method not found');
}

function refuseVersion(version: Json | undefined): Reply {
  // Objects are serialised: one without a usable `toString` would throw.
  const requested = shorten(typeof version === 'string' ? version : (JSON.stringify(version) ?? ''), 80);
  const data = { supported: [STATELESS_VERSION], requested };
  return error(UNSUPPORTED_VERSION, `Unsupported protocol version: ${requested}`, data);
}

function discover({ instructions }: ServerDescription): JsonObject {
  const supported = { supportedVersions: [STATELESS_VERSION], capabilities: { tools: {} } };
  return { ...supported, ...(instructions && { instructions }) };
}

function complete({ name, version }: ServerDescription, value: JsonObject): Reply {
  return result({ ...value, resultType: 'complete', _meta: { [`${META}/serverInfo`]: { name, version } } });
}

async function callTool(
  server: ServerDescription,
  client: Client,
  { name, arguments: args = {} }: JsonObject,
): Promise<Reply> {
  if (typeof name !== 'string') return error(INVALID_PARAMS, 'tools/call needs the name of a tool');
  const called = await server.call(name, args, client.name ?? 'unknown');
  return called ? result(called) : error(INVALID_PARAMS, `There is no tool ${shorten(name, 80)}`);
}

function recordClient(client: Client, information: Json | undefined, capabilities: Json | undefined): void {
  if (isObject(information) && typeof information.name === 'string') client.name = information.name;
  client.hasRoots = isObject(capabilities) && capabilities.roots !== undefined;
}

const NOT_TO_BE_KEPT: JsonObject = { ttlMs: 0, cacheScope: 'private' };

type Reply = { result: JsonObject } | { error: JsonObject };

function result(value: JsonObject): Reply {
  return { result: value };
}

function error(code: number, message: string, data?: JsonObject): Reply {
  return { error: { code, message, ...(data && { data }) } };
}
