import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { StoredEvent, StoredPrompt } from '../../src/store/types/event.ts';
import type { SessionDigest } from '../../src/store/types/session.ts';
import { ALLOW_USUAL_TOOLS, runSession } from '../support/claude-code.ts';
import { openScreen } from '../support/claude-code-screen.ts';
import type { Block, Turn } from '../support/model-message.ts';
import { everyKindOfCall } from '../support/sessions.ts';
import { ENDED } from '../support/terminal.ts';
import { readTranscripts, toolCallsIn } from '../support/transcripts.ts';
import { cairn, makeConnectedWorld, runIn, type World } from '../support/world.ts';

const hasTmux = spawnSync('tmux', ['-V']).status === 0;

type Shown = Omit<SessionDigest, 'prompts' | 'events'> & { prompts: StoredPrompt[]; events: StoredEvent[] };

let world: World;

beforeAll(async () => {
  // No worker: the tests themselves read the transcripts.
  world = await makeConnectedWorld({ env: { CAIRN_NO_WORKER: '1' } });
});

afterAll(() => world.remove());

/** Reads the transcript as if it were an hour old: only silence shows that a session is dead. */
async function reconcile(sessionId: string): Promise<{ added: number; broken: number }> {
  await runIn(world, 'find', [
    join(world.home, '.claude/projects'),
    '-name',
    '*.jsonl',
    '-exec',
    'touch',
    '-d',
    '1 hour ago',
    '{}',
    '+',
  ]);
  const { added, broken } = JSON.parse(
    await cairn(world, 'import', 'claude-code', '--session', sessionId, '--json'),
  );
  return { added, broken };
}

async function shown(sessionId: string): Promise<Shown> {
  return JSON.parse(await cairn(world, 'show', sessionId, '--json'));
}

/** Expects every call of the transcripts to be stored exactly once, and a repetition to change nothing. */
async function isComplete(sessionId: string): Promise<Shown> {
  const { transcript, subagentTranscripts } = await readTranscripts(world, sessionId);
  const inTranscripts = [transcript, ...Object.values(subagentTranscripts)].flatMap((lines) => [
    ...toolCallsIn(lines).keys(),
  ]);
  const once = await shown(sessionId);
  const ended = once.events.filter(({ kind }) => kind === 'tool-end').map(({ callId }) => callId);
  expect(ended.sort()).toEqual(inTranscripts.sort());
  expect(await reconcile(sessionId)).toEqual({ added: 0, broken: 0 });
  expect(await shown(sessionId)).toEqual(once);
  return once;
}

function outcomes({ events }: Shown): Record<string, string | null> {
  const ended = events.filter(({ kind }) => kind === 'tool-end');
  return Object.fromEntries(
    ended.map(({ callId, outcome }) => [callId?.replace(/_[0-9a-f]{8}$/, ''), outcome]),
  );
}

function call(name: string, command: string): Block {
  return {
    tool: 'Bash',
    input: { command, description: name },
    id: `toolu_${name}_${randomUUID().slice(0, 8)}`,
  };
}

async function appears(path: string): Promise<void> {
  await vi.waitFor(() => expect(existsSync(path)).toBe(true), { timeout: 30_000, interval: 100 });
}

/** The client writes its transcript with a small delay. */
async function isWrittenDown(words: string): Promise<void> {
  const find = ['-rlF', words, join(world.home, '.claude/projects')];
  await vi.waitFor(async () => expect((await runIn(world, 'grep', find)).exitCode).toBe(0), {
    timeout: 30_000,
    interval: 100,
  });
}

test('a session killed during a call', async () => {
  const started = join(world.project, 'long-started');
  const pidFile = join(world.root, 'client.pid');
  const client = join(world.root, 'client.sh');
  await writeFile(client, `#!/bin/sh\necho $$ > '${pidFile}'\nexec '${world.client}' "$@"\n`, {
    mode: 0o755,
  });
  const script: { main: Turn[] } = {
    main: [
      [{ text: 'First a look.' }, call('look', 'echo looked')],
      [call('long', `touch ${started}; sleep 20`)],
    ],
  };
  const playing = runSession({ ...world, client }, { script, prompts: ['run the long one'] });
  await appears(started);
  await isWrittenDown('"id":"toolu_long_');
  process.kill(Number(await readFile(pidFile, 'utf8')), 'SIGKILL');
  const { sessionId } = await playing;

  expect(outcomes(await shown(sessionId))).toEqual({ toolu_look: 'success' });
  await makeSilent(sessionId);
  await reconcile(sessionId);
  const stored = await isComplete(sessionId);
  expect(outcomes(stored)).toEqual({ toolu_look: 'success', toolu_long: 'failure' });
  expect(stored.prompts.map(({ text }) => text)).toEqual(['run the long one']);
  expect(
    JSON.stringify(stored.events.find(({ callId }) => callId?.startsWith('toolu_long'))?.response),
  ).toContain('Cut off');
});

/** The store's clock cannot be set from outside, but the session's last event can be moved back. */
async function makeSilent(sessionId: string): Promise<void> {
  const { openDatabase } = await import('../../src/store/sqlite/open.ts');
  const db = openDatabase(join(world.home, '.cairn/cairn.db'));
  db.prepare('UPDATE sessions SET last_seen = last_seen - 3600000 WHERE agent_session = ?').run(sessionId);
  db.close();
}

describe.runIf(hasTmux)('on a screen', () => {
  let sessionId: string;
  let stored: Shown;

  beforeAll(async () => {
    sessionId = randomUUID();
    const started = join(world.project, 'endless-started');
    const note = { file_path: join(world.project, 'note.txt'), content: 'a note\n' };
    const screen = await openScreen(world, {
      script: {
        main: [
          [{ text: 'I start it.' }, call('interrupted', `touch ${started}; tail -f /dev/null`)],
          [
            { text: 'I write it down.' },
            { tool: 'Write', input: note, id: `toolu_refused_${randomUUID().slice(0, 8)}` },
          ],
          [call('done', 'echo done')],
          [{ text: 'LAST-WORDS: all is done.' }],
        ],
      },
      args: ['--session-id', sessionId],
      settings: { permissions: { allow: ['Bash'] } },
    });
    /** A dialog does not listen at once, and a key typed soon after Esc would be read as one key with it. */
    const pressEscape = async () => {
      await pause(1_000);
      await screen.press('Escape');
      await pause(1_000);
    };
    try {
      await screen.shows('❯');
      await screen.type('wait for me');
      await appears(started);
      await pressEscape();
      await screen.shows('Interrupted');
      await screen.type('write it down');
      await screen.shows('Do you want to create');
      await pressEscape();
      await screen.shows('User rejected');
      await screen.type('and now the rest');
      await screen.shows('LAST-WORDS');
      await screen.type('/exit');
      await screen.shows(ENDED);
    } finally {
      await screen.close();
    }
    expect(outcomes(await shown(sessionId))).toEqual({ toolu_done: 'success' });
    await reconcile(sessionId);
    stored = await isComplete(sessionId);
  });

  test('an interrupted call has failed, a refused one never ran', () => {
    expect(outcomes(stored)).toEqual({
      toolu_interrupted: 'failure',
      toolu_refused: 'refused',
      toolu_done: 'success',
    });
  });

  test('each call belongs to its prompt', () => {
    const byName = (name: string) =>
      stored.events.find(({ callId }) => callId?.startsWith(`toolu_${name}`))?.prompt;
    expect(stored.prompts.map(({ text }) => text)).toEqual([
      'wait for me',
      'write it down',
      'and now the rest',
    ]);
    expect([byName('interrupted'), byName('refused'), byName('done')]).toEqual([1, 2, 3]);
  });

  test('interrupted turns have an end, the last turn has its text', () => {
    const ends = stored.events
      .filter(({ kind }) => kind === 'turn-end')
      .map(({ prompt, text }) => ({ prompt, text }));
    expect(ends).toEqual([
      { prompt: 1, text: '' },
      { prompt: 2, text: '' },
      { prompt: 3, text: 'LAST-WORDS: all is done.' },
    ]);
  });
});

test('events from a time without hooks, in the middle of a session, are added', async () => {
  const turn = (name: string): Turn[] => [[call(name, `echo ${name}`)], [{ text: `END-OF-${name}` }]];
  const first = await runSession(world, { script: { main: turn('before') }, prompts: ['PROMPT-before'] });
  const resume = ['--resume', first.sessionId];
  await cairn(world, 'uninstall', 'claude-code');
  try {
    await runSession(world, { script: { main: turn('unseen') }, prompts: ['PROMPT-unseen'], args: resume });
  } finally {
    await cairn(world, 'install', 'claude-code');
  }
  await runSession(world, { script: { main: turn('after') }, prompts: ['PROMPT-after'], args: resume });
  expect(outcomes(await shown(first.sessionId))).toEqual({ toolu_before: 'success', toolu_after: 'success' });

  await reconcile(first.sessionId);
  const stored = await isComplete(first.sessionId);
  expect(outcomes(stored)).toEqual({
    toolu_before: 'success',
    toolu_unseen: 'success',
    toolu_after: 'success',
  });
  const inTime = stored.prompts.toSorted((a, b) => a.at - b.at);
  expect(inTime.map(({ text }) => text)).toEqual(['PROMPT-before', 'PROMPT-unseen', 'PROMPT-after']);
  const unseen = inTime[1]?.number;
  expect(
    stored.events.filter(({ prompt }) => prompt === unseen).map(({ kind, text }) => text ?? kind),
  ).toEqual(['tool-end', 'END-OF-unseen']);
});

test('nothing is added to a session that hooks reported completely', async () => {
  const session = everyKindOfCall(world.project);
  const { sessionId } = await runSession(world, session);
  const before = await shown(sessionId);
  expect(await reconcile(sessionId)).toEqual({ added: 0, broken: 0 });
  expect(await shown(sessionId)).toEqual(before);
});

test('a session without hooks is imported as hooks would have reported it', async () => {
  const session = everyKindOfCall(world.project);
  const { sessionId } = await runSession(world, {
    ...session,
    settings: { ...ALLOW_USUAL_TOOLS, ...session.settings, disableAllHooks: true },
  });
  await reconcile(sessionId);
  const stored = await isComplete(sessionId);
  const byId = new Map(stored.events.map((event) => [event.callId, event]));
  expect(
    session.calls.map(({ id }) => [id, byId.get(id)?.tool, byId.get(id)?.outcome, byId.get(id)?.input]),
  ).toEqual(
    session.calls.map(({ id, tool, outcome, input }) => [id, tool, outcome, expect.objectContaining(input)]),
  );
  expect(stored.prompts.filter(({ origin }) => origin === 'person').map(({ text }) => text)).toEqual(
    session.prompts,
  );
  const closing = stored.events.filter(({ kind }) => kind === 'turn-end').map(({ text }) => text);
  expect(closing).toEqual(session.finalTexts);
  expect(stored.events.filter(({ kind }) => kind === 'subagent-end').map(({ text }) => text)).toEqual([
    session.subagentText,
  ]);
  const { project, branch, startSource, endReason } = stored;
  expect({ project, branch, startSource, endReason }).toEqual({
    project: 'project',
    branch: 'main',
    startSource: 'unknown',
    endReason: 'unknown',
  });
});
