import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { agentById } from '../../src/agents/all.ts';
import { installers } from '../../src/agents/install/installers.ts';
import { type AgentClient, type OpenClient, openClient, type SessionResult } from './agent-client.ts';
import {
  type AgentWorld,
  cairnIn,
  leaveMemory,
  listWrittenFiles,
  makeAgentWorld,
  readCaptured,
  readFiles,
  readTouched,
  removeAgentWorld,
  runProgram,
  startProject,
  textOfRequest,
} from './agent-world.ts';
import type { ChatStep } from './chat-protocol.ts';
import { plantFaultyHook, plantHangingHook } from './faulty-hook.ts';
import { PLACE } from './install-place.ts';
import { until } from './until.ts';

export interface CheckedAgent extends AgentClient {
  /** More flags for `cairn install`. */
  installFlags?: string[];
  /** More flags for the client, after those of `run`. */
  flags?: string[];
  /** Writes a.txt, runs a command that prints it and fails, reads it, reads a missing file, calls a tool of Cairn. */
  steps(project: string): ChatStep[];
  /** The expected calls with their outcomes. */
  calls: string[];
  /** The other events of the session, if they differ from KINDS. */
  kinds?: string[];
  /** The client does not report the end of a session: Cairn notices that its process has exited. */
  hidesEnd?: true;
  /** Arguments with which the client ends the processes that it left running. */
  stopArgs?: string[];
  /** The expected faults of the hook program, if a short session calls it fewer than three times. */
  faults?: string[];
  /** Tests of what is special in this agent; they run while Cairn is installed. */
  more?(rig: AgentRig): void;
}

/** Set by `beforeAll`: empty while tests are being collected. */
export interface AgentRig {
  world: AgentWorld;
  client: OpenClient;
  /** What `cairn install` printed. */
  installed: string;
  session: SessionResult;
}

const EARLIER = 'We decided: the orchard server listens on port 7070, because 8080 is taken by the proxy.';
const LAST_WORDS = 'We decided: the greeting goes to a.txt, because the gardener reads only text files.';
const PROMPT = 'please write a file';
const KINDS = ['session-start', 'turn-end', 'session-end'];

/** Tests the real client with Cairn, from the installation to the removal. */
export function checkAgent(agent: CheckedAgent): void {
  const {
    client,
    installFlags = [],
    flags = [],
    steps,
    calls,
    kinds = KINDS,
    hidesEnd,
    stopArgs,
    faults = ['hangs', 'garbage', 'killed'],
    more,
  } = agent;
  const { id } = client;
  const rig = {} as AgentRig;
  const install = () => cairnIn(rig.world, ['install', id, '--yes', ...installFlags]);
  const start = (script: ChatStep[], prompt: string) => rig.client.runSession(script, prompt, flags);
  const readAll = async () => {
    if (hidesEnd) await cairnIn(rig.world, ['worker', 'start']);
    return readCaptured(rig.world, id);
  };
  let files: string[];
  let before: Record<string, string | null>;

  beforeAll(async () => {
    rig.world = makeAgentWorld();
    await startProject(rig.world);
    rig.client = await openClient(agent, rig.world);
    files = await listWrittenFiles(rig.world, id);
    before = readFiles(files);
    await leaveMemory(rig.world, EARLIER);
    rig.installed = await install();
    rig.session = await start([...steps(rig.world.project), { text: LAST_WORDS }], PROMPT);
  });

  afterAll(async () => {
    const [program = '', ...args] = rig.client.command;
    if (stopArgs) await runProgram(rig.world, program, [...args, ...stopArgs]);
    await rig.client.close();
    await removeAgentWorld(rig.world);
  });

  describe(`${id} ${client.version}`, () => {
    test('the session ends normally', () => {
      const { exitCode, stderr, requests } = rig.session;
      const errors = exitCode === 0 ? '' : stderr;
      expect({ exitCode, errors, requests: requests.length }).toEqual({
        exitCode: 0,
        errors: '',
        requests: steps(rig.world.project).length + 1,
      });
    });

    test('the first request contains the memory of an earlier session', () => {
      expect(textOfRequest(rig.session.requests[0])).toContain('port 7070');
    });

    test("Cairn's MCP tool answers", () => {
      expect(JSON.stringify(rig.session.lastResult)).toContain('7070');
    });

    test('the closing words are remembered', async () => {
      await until('a memory of the last words', async () => {
        const memories = await cairnIn(rig.world, ['search', 'gardener', '--json']);
        return memories.includes('gardener reads only text files') ? true : undefined;
      });
    });

    test('everything is captured once', async () => {
      // Some calls are only in the transcript, which the worker reads.
      await expect
        .poll(readAll, { timeout: 30_000, interval: 200 })
        .toEqual({ kinds, prompts: [PROMPT], calls });
      expect(await readTouched(rig.world, id)).toEqual({
        commands: expect.arrayContaining([expect.stringContaining('exit 3')]),
        files: expect.arrayContaining(['a.txt']),
      });
    });

    test.runIf(agentById(id)?.transcripts)('importing the transcripts gives the same session', async () => {
      const env = { ...rig.world.env, CAIRN_HOME: join(rig.world.root, 'other-home') };
      const elsewhere = { ...rig.world, env };
      await cairnIn(elsewhere, ['import', id]);
      const imported = await readCaptured(elsewhere, id);
      expect({ ...imported, kinds }).toEqual({ kinds, prompts: [PROMPT], calls });

      await cairnIn(rig.world, ['import', id]);
      expect(await readCaptured(rig.world, id)).toEqual({ kinds, prompts: [PROMPT], calls });
    });

    test('installing again changes nothing', async () => {
      const once = readFiles(files);
      await install();
      expect(readFiles(files)).toEqual(once);
      expect(once).not.toEqual(before);
    });

    more?.(rig);

    /** A session with a broken Cairn runs like one without Cairn. */
    async function checkUndisturbed(): Promise<void> {
      const runs = steps(rig.world.project).filter((step) => JSON.stringify(step).includes('exit 3'));
      const again = await start([...runs, { text: 'Still here.' }], 'are you there');
      expect(again).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('Still here.') });
      expect(again.requests.length).toBe(runs.length + 1);
      expect(JSON.stringify(again.lastResult)).toContain('hello');
      expect(textOfRequest(again.requests[0])).not.toContain('7070');
    }

    test('the client continues when a hook hangs, prints garbage or is killed', async () => {
      const hook = plantFaultyHook(rig.world);
      await checkUndisturbed().finally(() => hook.end());
      expect(hook.deeds()).toEqual(expect.arrayContaining(faults));
    });

    test.runIf(runsCommands(id))(
      'the client ends hooks that hang at every event, and continues',
      async () => {
        const hook = plantHangingHook(rig.world);
        try {
          await checkUndisturbed();
          expect(hook.count()).toBeGreaterThan(1);
          await until('the end of every hook', () => (hook.listAlive().length === 0 ? true : undefined));
        } finally {
          hook.end();
        }
      },
    );

    test('the client continues when the files of Cairn are deleted', async () => {
      rmSync(join(rig.world.home, '.cairn/capture.sh'));
      rmSync(join(rig.world.home, '.cairn/app'), { recursive: true });
      await checkUndisturbed();
    });

    test('uninstall restores every file', async () => {
      await cairnIn(rig.world, ['uninstall', id, '--yes']);
      expect(readFiles(files)).toEqual(before);
    });
  });
}

/** The other agents load a plugin with its own time limits. */
function runsCommands(id: string): boolean {
  const parts = installers.find((installer) => installer.id === id)?.listParts(PLACE) ?? [];
  return parts.some(({ hooks }) => hooks !== undefined);
}
