import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { runSession, type SessionRun } from '../support/claude-code.ts';
import { openScreen } from '../support/claude-code-screen.ts';
import type { ModelScript } from '../support/scripted-model.ts';
import { ENDED } from '../support/terminal.ts';
import { readTranscripts, toolCallsIn } from '../support/transcripts.ts';
import type { World } from '../support/world.ts';
import { callsOf } from './consistency.ts';
import type { DistillScript, DistillSession } from './session.ts';

const LONGEST_WAIT_MS = 60_000;

/** Plays a session with the real client in a world that was made with the session's files. */
export function playSession(world: World, session: DistillSession): Promise<SessionRun> {
  if (session.how?.cut === 'killed') return playUntilKilled(world, session, session.how.when);
  if (session.how?.cut === 'interrupted') return playOnScreen(world, session, session.how.when);

  const { prompts, thenAppears } = session;
  const whenAnswered = async () => {
    if (thenAppears) await writeFile(join(world.project, thenAppears), '');
  };
  return runSession(world, { script: modelScript(session.script(world.project)), prompts, whenAnswered });
}

/** Only the first answer to a notification is asked for as such; what follows are main turns, the last ones. */
function modelScript({ main, notification = [], ...rest }: DistillScript): ModelScript {
  return { ...rest, main: [...main, ...notification.slice(1)], notification: notification.slice(0, 1) };
}

async function playUntilKilled(world: World, session: DistillSession, when: string): Promise<SessionRun> {
  const pidFile = join(world.root, 'client.pid');
  const client = await clientThatTellsItsPid(world, pidFile);
  const script = session.script(world.project);
  const sessionId = randomUUID();
  const playing = runSession(
    { ...world, client },
    { script: modelScript(script), prompts: session.prompts, args: ['--session-id', sessionId] },
  );
  await appears(join(world.project, when));
  // The client writes its transcript a moment late, and a person is no quicker.
  await until(async () => {
    const { transcript } = await readTranscripts(world, sessionId);
    const begun = toolCallsIn(transcript);
    return callsOf(script).every(({ id }) => begun.has(id));
  }, 'the transcript never told of the last call');
  process.kill(Number(await readFile(pidFile, 'utf8')), 'SIGKILL');
  return playing;
}

/** The same client, whose process id can be read from a file. */
async function clientThatTellsItsPid(world: World, pidFile: string): Promise<string> {
  const path = join(world.root, 'client.sh');
  await writeFile(path, `#!/bin/sh\necho $$ > '${pidFile}'\nexec '${world.client}' "$@"\n`);
  await chmod(path, 0o755);
  return path;
}

/** Esc is a key: the person who presses it sits before a terminal. */
async function playOnScreen(world: World, session: DistillSession, when: string): Promise<SessionRun> {
  const sessionId = randomUUID();
  const script = modelScript(session.script(world.project));
  const screen = await openScreen(world, { script, args: ['--session-id', sessionId] });
  try {
    await screen.shows('❯');
    const [first = '', ...later] = session.prompts;
    await screen.type(first);
    await appears(join(world.project, when));
    await screen.press('Escape');
    await screen.shows('Interrupted');
    for (const prompt of later) {
      await screen.type(prompt);
      await answered(world, sessionId, prompt);
    }
    await screen.type('/exit');
    await screen.shows(ENDED);
    return {
      exitCode: 0,
      sessionId,
      printed: [],
      stderr: '',
      debugLog: await screen.debugLog(),
      requests: screen.requests(),
      ...(await readTranscripts(world, sessionId)),
    };
  } finally {
    await screen.close();
  }
}

async function appears(path: string): Promise<void> {
  await until(() => existsSync(path), `${path} never appeared`);
}

/** The transcript tells it: after the prompt stands an answer that calls no tool. */
async function answered(world: World, sessionId: string, prompt: string): Promise<void> {
  await until(async () => {
    const { transcript } = await readTranscripts(world, sessionId);
    const lines = transcript.map((line) => JSON.stringify(line.message ?? null));
    const asked = lines.findLastIndex((line) => line.includes(JSON.stringify(prompt).slice(1, -1)));
    return asked >= 0 && lines.slice(asked).some((line) => line.includes('"stop_reason":"end_turn"'));
  }, `no answer to: ${prompt}`);
}

async function until(holds: () => boolean | Promise<boolean>, complaint: string): Promise<void> {
  const giveUpAt = Date.now() + LONGEST_WAIT_MS;
  while (!(await holds())) {
    if (Date.now() > giveUpAt) throw new Error(complaint);
    await pause(100);
  }
}
