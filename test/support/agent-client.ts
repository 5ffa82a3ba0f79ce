import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Json, JsonObject } from '../../src/model/json.ts';
import { type AgentWorld, type ProgramRun, runProgram } from './agent-world.ts';
import type { ChatProtocol, ChatStep } from './chat-protocol.ts';
import { installPackage } from './install-client.ts';
import { startScriptedChatModel } from './scripted-chat-model.ts';

/** The real client of an agent, run without a screen against a scripted model. */
export interface AgentClient {
  client: ClientPackage;
  /** The protocol of its model; OpenAI's chat completions if absent. */
  protocol?: ChatProtocol;
  /** Writes the person's own settings, before Cairn is installed. */
  prepare(world: AgentWorld, modelUrl: string): void;
  run(modelUrl: string, prompt: string): ClientRun;
}

export interface ClientPackage {
  /** The id of the agent. */
  id: string;
  version: string;
  /** The npm package, without the version. */
  package: string;
  /** Paths below node_modules where its program may be; the first that exists is used. */
  programs: string[];
  /** If the program is a script: the Node.js that runs it, ours or a newer one from npm. */
  node?: 'ours' | '22';
}

export interface ClientRun {
  args: string[];
  env: Record<string, string>;
}

export interface SessionResult extends ProgramRun {
  requests: JsonObject[];
  /** What the last call returned to the model. */
  lastResult: Json | undefined;
}

/** An installed client with its own scripted model. */
export interface OpenClient {
  /** The command line without arguments. */
  command: string[];
  modelUrl: string;
  /** Runs a session in which the model takes `steps`, and the model of a subagent `ofSubagent`. */
  runSession(
    steps: ChatStep[],
    prompt: string,
    flags?: string[],
    ofSubagent?: ChatStep[],
  ): Promise<SessionResult>;
  close(): Promise<void>;
}

export async function openClient(
  { client, protocol, prepare, run }: AgentClient,
  world: AgentWorld,
): Promise<OpenClient> {
  const command = await installAgentClient(client);
  const model = await startScriptedChatModel([], protocol);
  prepare(world, model.url);
  return {
    command,
    modelUrl: model.url,
    async runSession(steps, prompt, flags = [], ofSubagent) {
      model.play(steps, ofSubagent && { steps: ofSubagent, prompt });
      const { args, env } = run(model.url, prompt);
      const [program = '', ...first] = [...command, ...args, ...flags];
      const ended = await runProgram(world, program, first, { env });
      return { ...ended, requests: model.requests(), lastResult: model.lastResult() };
    },
    close: () => model.close(),
  };
}

/** Installs a real client into the repository's cache unless it is there. @returns its command line. */
export async function installAgentClient(client: ClientPackage): Promise<string[]> {
  const packages = await installPackage(client.package, client.version, client.id);
  const found = client.programs.map((path) => join(packages, path)).find((path) => existsSync(path));
  if (!found) throw new Error(`no program of ${client.id} for this machine in ${packages}`);
  if (client.node === undefined) return [found];
  return [client.node === 'ours' ? process.execPath : await installNode(client.node), found];
}

/** Some clients need a newer Node.js than Cairn. */
async function installNode(version: string): Promise<string> {
  const name = `node-${process.platform}-${process.arch}`;
  return join(await installPackage(name, version, 'node'), name, 'bin/node');
}
