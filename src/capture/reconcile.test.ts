import {
  appendFileSync,
  cpSync,
  mkdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openPlainStore, type PlainStore } from '../../test/support/plain-store.ts';
import { tempFolder } from '../../test/support/temp.ts';
import type { TranscriptAgent } from '../agents/agent.ts';
import { transcriptAgents } from '../agents/all.ts';
import { readEnvironment } from '../config/environment.ts';
import { loadSettings } from '../config/settings.ts';
import type { Json } from '../model/json.ts';
import { createLog } from '../platform/log.ts';
import { type Paths, pathsOf } from '../platform/paths.ts';
import { createCapturedEvent } from './intake.ts';
import { pause, unpause } from './pauses.ts';
import {
  listSessionsToReconcile,
  type ReconcileOptions,
  reconcileSession,
  reconcileSessions,
} from './reconcile.ts';

const payloads = join(import.meta.dirname, '../agents/claude-code/payloads/transcripts');
const claudeCode = transcriptAgents().find(({ id }) => id === 'claude-code') as TranscriptAgent;
const MINUTE = 60_000;

interface RecordedHook {
  event: string;
  at: number;
  payload: { [key: string]: Json };
}

let root: string;
let paths: Paths;
let store: PlainStore;
let options: ReconcileOptions;
let clock: number;

beforeEach(() => {
  root = tempFolder();
  paths = pathsOf(join(root, 'home'));
  store = openPlainStore(paths.database);
  const { settings } = loadSettings(paths.config, readEnvironment({ HOME: root, CAIRN_HOME: paths.home }));
  options = {
    paths,
    settings,
    log: createLog({ folder: paths.logs, from: 'test' }),
    now: () => clock,
    store,
  };
});

afterEach(() => store.close());

/** Puts a recorded session where the client would keep it. */
function place(folder: string) {
  const project = join(root, 'projects', folder);
  mkdirSync(dirname(project), { recursive: true });
  cpSync(join(payloads, folder), project, { recursive: true });
  const session = claudeCode.transcripts
    .findAll(join(root, 'projects'))
    .find(({ files }) => files[0]?.path.startsWith(project));
  const transcript = session?.files[0]?.path ?? '';
  const agentSession = basename(transcript, '.jsonl');
  const written = lastTimeIn(transcript);
  for (const file of session?.files ?? []) utimesSync(file.path, written / 1000, written / 1000);
  return { agentSession, transcript, written };
}

function lastTimeIn(transcript: string): number {
  const times = [...readFileSync(transcript, 'utf8').matchAll(/"timestamp":"([^"]+)"/g)];
  return Math.max(...times.map(([, time]) => Date.parse(time ?? '')));
}

/** Ingests the recorded hooks of that session, or a selection of them. */
function ingestHooks(
  folder: string,
  transcript: string,
  isReported: (hook: RecordedHook) => boolean = () => true,
): void {
  const hooks: RecordedHook[] = JSON.parse(readFileSync(join(payloads, folder, 'hooks.json'), 'utf8'));
  const files = hooks.filter(isReported).map(({ event: hook, at, payload }, index) => {
    const source = { agent: claudeCode.id, at, via: 'settings', spoolName: `hook-${index}` };
    const reported = claudeCode.toEvents(hook, { ...payload, transcript_path: transcript });
    const events = reported.map((event) => createCapturedEvent(event, source, options.settings));
    return { name: source.spoolName, agent: claudeCode.id, hook, via: 'settings', at, events };
  });
  store.ingest(files, clock);
}

/** One line for each stored prompt and event of the session, in order of time. */
function stored(agentSession: string): string[] {
  const [session] = store.findSessions(agentSession);
  if (!session) return [];
  const { prompts, events } = store.listSessionEvents(session.id);
  return [
    ...prompts.map(({ at, origin, text }) => ({ at, line: `${origin}: ${text.split('\n')[0]}` })),
    ...events.map((event) => ({ at: event.at, line: `${event.kind} ${gist(event)}`.trim() })),
  ]
    .sort((a, b) => a.at - b.at)
    .map(({ line }) => line);

  function gist({ callId, outcome, text }: (typeof events)[number]): string {
    return callId ? `${callId} ${outcome}` : (text ?? '');
  }
}

/** The lines that must occur exactly once, sorted: prompts, calls, turn ends and compactions. */
function essence(agentSession: string): string[] {
  return stored(agentSession)
    .filter((line) => /^(person|machine|tool-end|turn-end|compact-end)/.test(line))
    .sort();
}

const ON_SCREEN = [
  'compact-end SCRIPTED COMPACT SUMMARY',
  'machine: <bash-input>echo from-bash-mode</bash-input>',
  'person: P1 wait for me',
  'person: P2 write it down',
  'person: P3 wait a bit',
  'person: P4 and also this, typed meanwhile',
  'person: P5 last',
  'person: P6 after compact',
  'tool-end toolu_interrupted failure',
  'tool-end toolu_refused refused',
  'tool-end toolu_wait success',
  'turn-end',
  'turn-end',
  'turn-end FIFTH-END',
  'turn-end FOURTH-END',
  'turn-end THIRD-END',
  'turn-end The script has no more turns.',
];

describe('adds events that hooks did not report', () => {
  test.each<[string, (hook: RecordedHook) => boolean]>([
    ['all hooks ran', () => true],
    [
      'none ran but the first',
      ({ event, payload }) => event === 'SessionStart' && payload.source === 'startup',
    ],
    [
      'none ran after the third prompt',
      ({ payload }) => !/P[456]|FIFTH|FOURTH|THIRD|no more/.test(JSON.stringify(payload)),
    ],
    ['none ran before the fifth prompt', ({ at }) => at > firstAt('P5')],
    ['none ran between the second and the fifth', ({ at }) => at < firstAt('P3') || at > firstAt('P5')],
    ['only prompts were reported', ({ event }) => event === 'UserPromptSubmit'],
    ['only turn ends were reported', ({ event }) => event === 'Stop'],
    ['only calls were reported', ({ event }) => event === 'PostToolUse' || event === 'PostToolBatch'],
  ])('when %s', (_name, isReported) => {
    const { agentSession, transcript, written } = place('on-screen');
    clock = written + 60 * MINUTE;
    ingestHooks('on-screen', transcript, isReported);
    reconcileSessions(options);
    expect(essence(agentSession)).toEqual(ON_SCREEN);
    const once = stored(agentSession);
    const again = reconcileSession(options, { agent: claudeCode, agentSession, transcript });
    expect(again).toEqual({ prompts: 0, calls: 0, turns: 0, added: 0, broken: 0 });
    expect(stored(agentSession)).toEqual(once);
  });

  function firstAt(words: string): number {
    const hooks: RecordedHook[] = JSON.parse(readFileSync(join(payloads, 'on-screen/hooks.json'), 'utf8'));
    return (hooks.find(({ payload }) => JSON.stringify(payload).includes(`"${words}`))?.at ?? 0) - 1;
  }

  test('calls belong to the turn in which they were made, even if they are added late', () => {
    const { agentSession, transcript, written } = place('on-screen');
    clock = written + 60 * MINUTE;
    ingestHooks('on-screen', transcript);
    reconcileSessions(options);
    const [session] = store.findSessions(agentSession);
    const { prompts, events } = store.listSessionEvents(session?.id ?? 0);
    const promptOf = (id: string) => {
      const number = events.find(({ callId }) => callId === id)?.prompt;
      return prompts.find((prompt) => prompt.number === number)?.text;
    };
    expect([promptOf('toolu_interrupted'), promptOf('toolu_refused')]).toEqual([
      'P1 wait for me',
      'P2 write it down',
    ]);
    expect(store.countOpenTurns()).toBe(0);
  });

  test('the calls and the answer of a subagent', () => {
    const { agentSession, transcript, written } = place('whole');
    clock = written + 60 * MINUTE;
    reconcileSession(options, { agent: claudeCode, agentSession, transcript });
    const lines = stored(agentSession).filter((line) => /sub_|subagent-end/.test(line));
    expect(lines).toEqual([
      'tool-end toolu_sub_bash_4b9875ab success',
      'tool-end toolu_sub_write_4b9875ab success',
      'subagent-end SUBAGENT-ANSWER: I counted two trees.',
    ]);
  });

  test('a fork does not get the events of its parent session', () => {
    const { agentSession, transcript, written } = place('forked');
    clock = written + 60 * MINUTE;
    const at = Date.parse('2026-11-15T20:53:31.900Z');
    const [event] = claudeCode.toEvents('SessionStart', {
      session_id: agentSession,
      transcript_path: transcript,
      source: 'fork',
    });
    if (!event) throw new Error('no event');
    const source = { agent: claudeCode.id, at, via: 'settings', spoolName: 'start' };
    store.ingest(
      [
        {
          name: 'start',
          agent: claudeCode.id,
          hook: 'SessionStart',
          via: 'settings',
          at,
          events: [createCapturedEvent(event, source, options.settings)],
        },
      ],
      clock,
    );
    reconcileSessions(options);
    expect(essence(agentSession)).toEqual([
      'person: go another way',
      'tool-end toolu_forked success',
      'turn-end FORKED-END',
    ]);
  });
});

describe('an active session', () => {
  test('recent lines are left to their hooks', () => {
    const { agentSession, transcript, written } = place('killed');
    clock = written + 1_000;
    ingestHooks('killed', transcript, ({ event }) => event === 'SessionStart');
    expect(reconcileSession(options, { agent: claudeCode, agentSession, transcript }).added).toBe(0);
  });

  test('an unfinished call is added when it ends or when the session is considered dead', () => {
    const { agentSession, transcript, written } = place('killed');
    ingestHooks('killed', transcript);
    clock = written + MINUTE;
    reconcileSessions(options, { isImmediate: true });
    expect(essence(agentSession)).toEqual([
      'person: PROMPT: run the long one',
      'tool-end toolu_looked success',
    ]);
    clock = written + 31 * MINUTE;
    reconcileSessions(options);
    expect(essence(agentSession)).toContain('tool-end toolu_long failure');
    expect(listSessionsToReconcile(options)).toEqual([]);
  });

  test('a call considered cut off gets its real outcome if it ends later', () => {
    const { agentSession, transcript, written } = place('killed');
    ingestHooks('killed', transcript);
    clock = written + 31 * MINUTE;
    reconcileSessions(options);
    const result = { type: 'tool_result', tool_use_id: 'toolu_long', content: 'done' };
    const line = {
      type: 'user',
      uuid: 'late',
      timestamp: new Date(clock).toISOString(),
      message: { content: [result] },
    };
    appendFileSync(transcript, `${JSON.stringify(line)}\n`);
    clock += 5 * MINUTE;
    reconcileSession(options, { agent: claudeCode, agentSession, transcript });
    expect(essence(agentSession).filter((line) => line.includes('toolu_long'))).toEqual([
      'tool-end toolu_long success',
    ]);
  });

  test('is read only after its end, when its transcript is completely written', () => {
    const { transcript } = place('on-screen');
    clock = 0;
    ingestHooks('on-screen', transcript);
    const [session] = store.listRecentSessions({ limit: 1 });
    const endedAt = session?.endedAt ?? 0;
    const dueAt = (now: number) => listSessionsToReconcile({ ...options, now: () => now }).length;
    expect([dueAt(endedAt), dueAt(endedAt + 1_000)]).toEqual([0, 1]);
    clock = endedAt + 1_000;
    reconcileSessions(options);
    expect(listSessionsToReconcile(options, { isImmediate: true })).toEqual([]);
  });
});

describe('the transcript file', () => {
  test('is not looked for again if it is missing', () => {
    const { agentSession, transcript, written } = place('killed');
    clock = written + 31 * MINUTE;
    ingestHooks('killed', transcript);
    rmSync(transcript);
    expect(reconcileSession(options, { agent: claudeCode, agentSession, transcript })).toEqual({
      prompts: 0,
      calls: 0,
      turns: 0,
      added: 0,
      broken: 0,
    });
    expect(listSessionsToReconcile(options)).toEqual([]);
  });

  test.each<[string, (path: string) => void]>([
    ['is read from the start if it shrank', (path) => truncateSync(path, 10)],
    ['is read from the start if it was replaced', (path) => writeFileSync(path, `${'x'.repeat(100_000)}\n`)],
  ])('%s', (_name, change) => {
    const { agentSession, transcript, written } = place('on-screen');
    clock = written + 31 * MINUTE;
    reconcileSession(options, { agent: claudeCode, agentSession, transcript });
    const before = stored(agentSession);
    const whole = readFileSync(transcript);
    change(transcript);
    reconcileSession(options, { agent: claudeCode, agentSession, transcript });
    writeFileSync(transcript, whole);
    reconcileSession(options, { agent: claudeCode, agentSession, transcript });
    expect(stored(agentSession)).toEqual(before);
  });

  test('may have broken lines, which are reported and skipped', () => {
    const { agentSession, transcript, written } = place('killed');
    const [first, ...rest] = readFileSync(transcript, 'utf8').split('\n');
    writeFileSync(transcript, [first, '{"type":"user", half a li', '\u0000\u0000', ...rest].join('\n'));
    utimesSync(transcript, written / 1000, written / 1000);
    clock = written + 31 * MINUTE;
    const broken: string[] = [];
    const onBroken = (where: string, why: string) =>
      void broken.push(`${where.replace(transcript, '')} ${why}`);
    const counts = reconcileSession(
      { ...options, onBroken },
      { agent: claudeCode, agentSession, transcript },
    );
    expect({ broken, counts }).toEqual({
      broken: [':2 it is not JSON', ':3 it is not JSON'],
      counts: { prompts: 1, calls: 2, turns: 0, added: 5, broken: 2 },
    });
  });
});

describe('not read from a transcript', () => {
  test.each<[string, () => void]>([
    [
      'events of a past pause',
      () => {
        pause(paths, { all: true }, 0);
        unpause(paths, { all: true }, clock);
      },
    ],
    ['events of a current pause', () => pause(paths, { all: true }, 0)],
    [
      'events of a pause of the project',
      () => {
        pause(paths, { folder: '/home/user/project' }, 0);
        unpause(paths, { folder: '/home/user/project' }, clock);
      },
    ],
  ])('%s', (_name, makePause) => {
    const { agentSession, transcript, written } = place('whole');
    clock = written + 31 * MINUTE;
    makePause();
    expect(reconcileSession(options, { agent: claudeCode, agentSession, transcript }).added).toBe(0);
  });

  test('events are read despite a pause of another project', () => {
    const { agentSession, transcript, written } = place('whole');
    clock = written + 31 * MINUTE;
    pause(paths, { folder: join(root, 'elsewhere') }, 0);
    expect(reconcileSession(options, { agent: claudeCode, agentSession, transcript }).added).toBeGreaterThan(
      0,
    );
  });

  test('secrets and private text', () => {
    const { agentSession, transcript, written } = place('killed');
    const secret = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`;
    const text = readFileSync(transcript, 'utf8')
      .replace('PROMPT: run the long one', `PROMPT: use ${secret} <private>but not this</private>`)
      .replaceAll('echo looked', `echo ${secret}`);
    writeFileSync(transcript, text);
    utimesSync(transcript, written / 1000, written / 1000);
    clock = written + 31 * MINUTE;
    reconcileSession(options, { agent: claudeCode, agentSession, transcript });
    const database = ['', '-wal'].map((end) => readIfThere(`${paths.database}${end}`)).join('');
    expect(database).toContain('[redacted:');
    for (const hidden of [secret, 'but not this']) expect(database).not.toContain(hidden);
  });
});

function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}
