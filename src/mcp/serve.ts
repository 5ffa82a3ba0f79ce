import { statSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { Environment } from '../config/environment.ts';
import type { MemoryOptions } from '../memory/memory-options.ts';
import { isObject, type Json, type JsonObject } from '../model/json.ts';
import { describeError } from '../platform/log.ts';
import { wakeWorker } from '../platform/start-worker.ts';
import { VERSION } from '../platform/version.ts';
import { callTool } from './call-tool.ts';
import { buildInstructions } from './instructions.ts';
import { LONGEST_LINE, readMessages, writeMessage } from './lines.ts';
import { openMemory } from './memory.ts';
import { createConversation } from './protocol.ts';
import { tools } from './tools/all.ts';

export interface ServeOptions extends Omit<MemoryOptions, 'wakeWorker'> {
  env: Environment;
  input: Readable;
  output: Writable;
  /** The client's working directory, used if the client reports no other folder. */
  cwd: string;
  /** Another server of Cairn offers the same tools, which a model should not see twice. */
  isSilent: boolean;
  parentPid: number;
}

const ROOTS_REQUEST = 'cairn-roots';
const INVALID_REQUEST = -32600;

/** Answers one client until it closes the input. */
export async function serve(serving: ServeOptions): Promise<void> {
  const { input, output, log, env, cwd, settings, isSilent } = serving;
  const memory = openMemory({ ...serving, wakeWorker: () => wakeWorker(env) });
  let folder = env.projectDir ?? cwd;

  const conversation = createConversation({
    name: 'cairn',
    version: VERSION,
    instructions: isSilent ? '' : buildInstructions(settings),
    tools: isSilent ? [] : tools.map(({ listed }) => listed),
    call: async (name, args, client) => {
      const tool = isSilent ? undefined : tools.find((message) => message.name === name);
      return tool && callTool(tool, args, { ...serving, memory, folder, client });
    },
  });

  async function receive(message: Json): Promise<void> {
    // Some older clients send batches.
    const messages = (Array.isArray(message) ? message : [message]).filter(isObject);
    const answers: JsonObject[] = [];
    for (const message of messages) {
      if (message.id === ROOTS_REQUEST) folder = env.projectDir ?? firstFolder(message.result) ?? folder;
      if (asksForRoots(message.method)) await askForRoots();
      const answer = await conversation.answer(message);
      if (answer) answers.push(answer);
    }
    if (Array.isArray(message) && answers.length > 0) await writeMessage(output, answers);
    else for (const answer of answers) await writeMessage(output, answer);
  }

  /** Some clients start servers in an unrelated folder, but report the open folders on request. */
  async function askForRoots(): Promise<void> {
    if (env.projectDir !== undefined || !conversation.client().hasRoots) return;
    await writeMessage(output, { jsonrpc: '2.0', id: ROOTS_REQUEST, method: 'roots/list' });
  }

  await readMessages({
    input,
    receive: (message) =>
      receive(message).catch((error) => log.error('message not answered', { cause: describeError(error) })),
    onGarbage: () => log.warn('a line on stdin was no message'),
    onTooLong: async (id) => {
      log.warn('a line on stdin was too long', { most: LONGEST_LINE });
      const message = `Message refused: it is longer than ${LONGEST_LINE.toLocaleString('en-US')} characters.`;
      await writeMessage(output, { jsonrpc: '2.0', id, error: { code: INVALID_REQUEST, message } });
    },
  });
  memory.close();
}

function asksForRoots(method: Json | undefined): boolean {
  return method === 'notifications/initialized' || method === 'notifications/roots/list_changed';
}

function firstFolder(result: Json | undefined): string | undefined {
  const roots = isObject(result) && Array.isArray(result.roots) ? result.roots.filter(isObject) : [];
  return roots.map(({ uri }) => folderOf(uri)).find((folder) => folder !== undefined);
}

function folderOf(uri: Json | undefined): string | undefined {
  try {
    const path = fileURLToPath(String(uri));
    return statSync(path).isDirectory() ? path : undefined;
  } catch {
    return undefined;
  }
}
