import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { agentById } from '../../src/agents/all.ts';
import { type ClientPackage, installAgentClient } from './agent-client.ts';
import {
  type AgentRun,
  type AgentWorld,
  cairnIn,
  leaveMemory,
  listWrittenFiles,
  makeAgentWorld,
  readCaptured,
  readFiles,
  removeAgentWorld,
  runAgentSession,
  runProgram,
  type SessionResult,
  startProject,
  textOfRequest,
} from './agent-world.ts';
import { installNode } from './install-client.ts';
import type { ChatStep } from './scripted-chat-model.ts';
import { until } from './until.ts';

/** What the tests have to know of a real client. */
export interface CheckedAgent {
  client: ClientPackage;
  /** If the client is a script for a newer Node than that of the tests. */
  nodeVersion?: string;
  /** Writes the person's own settings, before Cairn is installed. */
  prepare(world: AgentWorld, modelUrl: string): void;
  run(modelUrl: string, prompt: string): Omit<AgentRun, 'program'>;
  /** Writes, runs a command that fails, reads, reads what is missing, calls a tool of Cairn. */
  steps(project: string): ChatStep[];
  /** These calls, with their outcome. */
  calls: string[];
  /** The client does not say when a session ends: Cairn notices that its process is gone. */
  hidesEnd?: true;
  /** With these arguments the client ends what it leaves running. */
  stopArgs?: string[];
}

const EARLIER = 'We decided: the orchard server listens on port 7070, because 8080 is taken by the proxy.';
const LAST_WORDS = 'We decided: the greeting goes to a.txt, because the gardener reads only text files.';
const PROMPT = 'please write a file';

/** A session of the real client with Cairn, from its installation to its removal. */
export function checkAgent(checked: CheckedAgent): void {
  const { client, nodeVersion, prepare, run, steps, calls, hidesEnd, stopArgs } = checked;
  const { id } = client;
  let command: [program: string, ...args: string[]];
  let world: AgentWorld;
  let files: string[];
  let before: Record<string, string | null>;
  let session: SessionResult;

  const start = (script: ChatStep[], prompt: string) =>
    runAgentSession(world, script, (url) => {
      const { args, env } = run(url, prompt);
      const [program, ...script] = command;
      return { program, args: [...script, ...args], env };
    });

  beforeAll(async () => {
    const program = await installAgentClient(client);
    command = nodeVersion === undefined ? [program] : [await installNode(nodeVersion), program];
    world = makeAgentWorld();
    await startProject(world);
    prepare(world, 'http://127.0.0.1:9/v1');
    files = await listWrittenFiles(world, id);
    before = readFiles(files);
    await leaveMemory(world, EARLIER);
    await cairnIn(world, ['install', id, '--yes']);
    session = await start([...steps(world.project), { text: LAST_WORDS }], PROMPT);
  });

  afterAll(async () => {
    if (stopArgs) await runProgram(world, command[0], [...command.slice(1), ...stopArgs]);
    await removeAgentWorld(world);
  });

  describe(`${id} ${client.version}`, () => {
    test('runs to its end', () => {
      const { exitCode, stderr, requests } = session;
      const told = exitCode === 0 ? '' : stderr;
      expect({ exitCode, told, requests: requests.length }).toEqual({
        exitCode: 0,
        told: '',
        requests: steps(world.project).length + 1,
      });
    });

    test('the memory of an earlier session reaches the first request', () => {
      expect(textOfRequest(session.requests[0])).toContain('port 7070');
    });

    test('the tool of Cairn answers', () => {
      expect(textOfRequest(session.requests.at(-1))).toMatch(/"role":"tool".*7070/);
    });

    test('everything is captured once', async () => {
      if (hidesEnd)
        await until('the end of a process that is gone', async () => {
          await cairnIn(world, ['worker', 'start']);
          const { kinds } = await readCaptured(world, id);
          return kinds.includes('session-end') ? true : undefined;
        });
      expect(await readCaptured(world, id)).toEqual({
        kinds: ['session-start', 'turn-end', 'session-end'],
        prompts: [PROMPT],
        calls,
      });
    });

    test('what the agent said is remembered', async () => {
      await until('a memory of the last words', async () => {
        const memories = await cairnIn(world, ['search', 'gardener', '--json']);
        return memories.includes('gardener reads only text files') ? true : undefined;
      });
    });

    if (agentById(id)?.transcripts)
      test('transcripts alone give the same session', async () => {
        const other = { ...world, env: { ...world.env, CAIRN_HOME: join(world.root, 'other-home') } };
        await cairnIn(other, ['import', id]);
        const { prompts, calls: imported } = await readCaptured(other, id);
        await cairnIn(other, ['worker', 'stop']);
        expect({ prompts, imported }).toEqual({ prompts: [PROMPT], imported: calls });
      });

    test('the client works on when the files of Cairn are gone', async () => {
      rmSync(join(world.home, '.cairn/capture.sh'));
      rmSync(join(world.home, '.cairn/app'), { recursive: true });
      const again = await start([{ text: 'Still here.' }], 'are you there');
      expect(again).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('Still here.') });
      expect(textOfRequest(again.requests[0])).not.toContain('7070');
    });

    test('uninstall leaves every file as it was', async () => {
      await cairnIn(world, ['uninstall', id, '--yes']);
      expect(readFiles(files)).toEqual(before);
    });
  });
}
