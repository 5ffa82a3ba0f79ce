import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { StoredEvent, StoredPrompt } from '../../src/store/types/event.ts';
import type { SessionDigest } from '../../src/store/types/session.ts';
import { runSession, type SessionRun } from '../support/claude-code.ts';
import { hookComplaints } from '../support/debug-log.ts';
import { everyKindOfCall, type ScriptedSession } from '../support/sessions.ts';
import { toolCallsIn } from '../support/transcripts.ts';
import { cairn, installPlugin, makeWorld, runIn, type World } from '../support/world.ts';

const repository = resolve(import.meta.dirname, '../..');

type Shown = Omit<SessionDigest, 'prompts' | 'events'> & { prompts: StoredPrompt[]; events: StoredEvent[] };

async function shown(world: World, id: string): Promise<Shown> {
  return JSON.parse(await cairn(world, 'show', id, '--json'));
}

/** The ids of all calls in the transcripts, of the main agent and of subagents. */
function callsInTranscripts(run: SessionRun): string[] {
  const transcripts = [run.transcript, ...Object.values(run.subagentTranscripts)];
  return transcripts.flatMap((lines) => [...toolCallsIn(lines).keys()]).sort();
}

/** Waits until the worker has distilled what it can. */
async function untilDistilled(world: World): Promise<void> {
  for (const end = Date.now() + 60_000; Date.now() < end; await sleep(200))
    if ((await cairn(world, 'queue')).startsWith('The queue is empty')) return;
  throw new Error('The worker did not finish.');
}

/** Every installation below captures the same; only the way to install differs. */
function capturesEverything(name: string, connect: (world: World) => Promise<void>): void {
  describe(name, () => {
    let world: World;
    let session: ScriptedSession;
    let run: SessionRun;
    let stored: Shown;

    beforeAll(async () => {
      world = await makeWorld();
      await connect(world);
      session = everyKindOfCall(world.project);
      run = await runSession(world, session);
      stored = await shown(world, run.sessionId);
    });
    afterAll(() => world.remove());

    test('the client runs without errors', () => {
      const { exitCode, stderr, debugLog } = run;
      expect({ exitCode, stderr, complaints: hookComplaints(debugLog) }).toEqual({
        exitCode: 0,
        stderr: '',
        complaints: [],
      });
    });

    test('the client prints nothing of Cairn but the welcome', () => {
      const ours = run.printed.filter((line) => JSON.stringify(line).includes('Cairn'));
      expect(ours.map(({ type, subtype, hook_event }) => [type, subtype, hook_event])).toEqual([
        ['system', 'hook_response', 'SessionStart'],
      ]);
    });

    test('every call of the transcript is stored exactly once, with input, response and outcome', () => {
      const ended = stored.events.filter(({ kind }) => kind === 'tool-end');
      expect(ended.map(({ callId }) => callId).sort()).toEqual(callsInTranscripts(run));
      const byId = new Map(ended.map((event) => [event.callId, event]));
      expect(
        session.calls.map(({ id }) => [id, byId.get(id)?.tool, byId.get(id)?.outcome, byId.get(id)?.input]),
      ).toEqual(
        session.calls.map(({ id, tool, outcome, input }) => [
          id,
          tool,
          outcome,
          expect.objectContaining(input),
        ]),
      );
      for (const { id, outcome } of session.calls) {
        const response = JSON.stringify(byId.get(id)?.response);
        expect(response.length, `${id} (${outcome})`).toBeGreaterThan(4);
      }
    });

    test('the calls of the subagent are marked as its own', () => {
      const byAgent = stored.events.filter(({ kind, subagent }) => kind === 'tool-end' && subagent !== null);
      expect(byAgent.map(({ callId }) => callId).sort()).toEqual(
        session.calls
          .filter(({ by }) => by === 'subagent')
          .map(({ id }) => id)
          .sort(),
      );
      expect(stored.events.filter(({ kind }) => kind === 'subagent-end').map(({ text }) => text)).toEqual([
        session.subagentText,
      ]);
    });

    test('prompts are stored with their origin, and turns with their final text', () => {
      const typed = stored.prompts.filter(({ origin }) => origin === 'person').map(({ text }) => text);
      expect(typed).toEqual(session.prompts);
      const byMachine = stored.prompts.filter(({ origin }) => origin === 'machine');
      expect(byMachine).toHaveLength(1);
      expect(byMachine[0]?.text).toContain('<task-notification>');
      const closing = stored.events.filter(({ kind }) => kind === 'turn-end').map(({ text }) => text);
      expect(closing).toEqual(session.finalTexts);
    });

    test('calls belong to the prompt that caused them', () => {
      const after = stored.events.find(({ callId }) => callId?.startsWith('toolu_after'));
      const first = stored.events.find(({ callId }) => callId?.startsWith('toolu_write'));
      expect([first?.prompt, after?.prompt]).toEqual([1, 2]);
    });

    test('the session is closed, and belongs to its project', () => {
      const { agent, startSource, endReason, endedAt, project, branch } = stored;
      expect({ agent, startSource, endReason, project, branch }).toEqual({
        agent: 'claude-code',
        startSource: 'startup',
        endReason: 'other',
        project: 'project',
        branch: 'main',
      });
      expect(endedAt).not.toBeNull();
    });

    test('the next session gets a context with it, once', async () => {
      await untilDistilled(world);
      const next = await runSession(world, {
        script: { main: [[{ text: 'Good morning.' }]] },
        prompts: ['what did we do last?'],
      });
      const [request] = next.requests.filter(({ queue }) => queue === 'main');
      const sent = JSON.stringify(request?.body);
      expect(sent.split('What Cairn remembers of project')).toHaveLength(2);
      expect(sent).toContain('Last session:');
      const lines = next.printed.filter((line) => JSON.stringify(line).includes('Cairn: '));
      expect(lines).toHaveLength(1);
      expect(JSON.stringify(lines)).toMatch(/gave the agent \d+ memor/);
      // Context from Cairn is not captured as words of the agent or the person.
      expect(JSON.stringify(await shown(world, next.sessionId))).not.toContain('cairn-context');
    });
  });
}

capturesEverything('connected by cairn install claude-code', async (world) => {
  await cairn(world, 'install', 'claude-code');
});

// The plugin contains no program: it finds the installed Cairn.
capturesEverything('connected by the plugin', installPlugin);

capturesEverything('connected both ways', async (world) => {
  await cairn(world, 'install', 'claude-code');
  await runIn(world, world.client, ['plugin', 'marketplace', 'add', repository]);
  await runIn(world, world.client, ['plugin', 'install', 'cairn@cairn']);
});

// The files of npm may be removed: hooks use the copy in Cairn's home.
capturesEverything('installed from the package, which is then removed', async (world) => {
  const prefix = join(world.root, 'prefix');
  const npm = (...args: string[]) =>
    execFileSync('npm', args, {
      cwd: world.root,
      env: { ...process.env, HOME: world.home },
      encoding: 'utf8',
    });
  const packed = npm('pack', repository, '--ignore-scripts', '--json', '--loglevel=error');
  const tarball = join(world.root, JSON.parse(packed)[0].filename);
  npm('install', '--global', '--prefix', prefix, '--no-audit', '--no-fund', '--loglevel=error', tarball);
  const { exitCode } = await runIn(world, process.execPath, [
    join(prefix, 'bin/cairn'),
    'install',
    'claude-code',
  ]);
  expect(exitCode).toBe(0);
  rmSync(prefix, { recursive: true });
  rmSync(join(world.home, '.npm'), { recursive: true, force: true });
});
