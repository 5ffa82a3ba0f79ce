import { cpSync, existsSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { tempFolder } from '../../test/support/temp.ts';
import type { TranscriptAgent } from '../agents/agent.ts';
import { transcriptAgents } from '../agents/all.ts';
import { readEnvironment } from '../config/environment.ts';
import { loadSettings } from '../config/settings.ts';
import { createLog } from '../platform/log.ts';
import { type Paths, pathsOf } from '../platform/paths.ts';
import { openSqliteStore } from '../store/sqlite/sqlite-store.ts';
import type { Store } from '../store/store.ts';
import { type ImportOptions, importTranscripts } from './import.ts';

const payloads = join(import.meta.dirname, '../agents/claude-code/payloads/transcripts');
const agent = transcriptAgents().find(({ id }) => id === 'claude-code') as TranscriptAgent;
const THEN = Date.parse('2026-11-16T12:00:00Z');

let root: string;
let projects: string;
let paths: Paths;
let store: Store;

beforeEach(() => {
  root = tempFolder();
  projects = join(root, 'projects');
  paths = pathsOf(join(root, 'home'));
  store = openSqliteStore(paths.database);
  cpSync(payloads, projects, { recursive: true });
  for (const { files } of agent.transcripts.findAll(projects))
    for (const { path } of files) utimesSync(path, THEN / 1000 - 3_600, THEN / 1000 - 3_600);
});

afterEach(() => store.close());

function run(options: Partial<ImportOptions> & { isDryRun?: boolean; store?: Store | null } = {}) {
  const { isDryRun = false, store: into = store, ...rest } = options;
  const { settings } = loadSettings(paths.config, readEnvironment({ HOME: root, CAIRN_HOME: paths.home }));
  const log = createLog({ folder: paths.logs, from: 'test' });
  return importTranscripts(
    { paths, settings, log, now: () => THEN, store: into, isDryRun },
    { agent, transcripts: projects, ...rest },
  );
}

function everything() {
  return store
    .listRecentSessions({ limit: 100 })
    .map((session) => ({ ...session, ...store.listSessionEvents(session.id) }))
    .sort((a, b) => a.firstSeen - b.firstSeen);
}

test('imports past sessions with their prompts, calls and turns, oldest first', async () => {
  const { brokenLines, ...counts } = await run();
  expect({ counts, brokenLines }).toEqual({
    counts: {
      sessions: 5,
      allSessions: 5,
      prompts: 14,
      calls: 23,
      turns: 12,
      added: 62,
      broken: 0,
      bytes: expect.any(Number),
      allBytes: expect.any(Number),
      isStopped: false,
    },
    brokenLines: [],
  });
  expect(counts.bytes).toBe(counts.allBytes);
  const sessions = store
    .listRecentSessions({ limit: 10 })
    .map(({ id, agent, model, branch, startSource, endReason, firstPrompt, events }) => ({
      id,
      agent,
      model,
      branch,
      startSource,
      endReason,
      firstPrompt,
      events,
    }));
  expect(sessions.sort((a, b) => a.id - b.id)[1]).toEqual({
    id: 2,
    agent: 'claude-code',
    model: 'claude-opus-5-5',
    branch: 'main',
    startSource: 'unknown',
    endReason: 'unknown',
    firstPrompt: 'FIRST-PROMPT: plant a second apple tree',
    events: expect.any(Number),
  });
  expect(store.countEverything()).toMatchObject({
    sessions: 5,
    openSessions: 0,
    openTurns: 0,
    prompts: 14,
    events: 62 - 14,
  });
});

test('queues the imported turns for distilling at low priority', async () => {
  await run();
  const jobs = store.listJobs();
  expect(new Set(jobs.map(({ kind, priority, state }) => `${kind} ${priority} ${state}`))).toEqual(
    new Set(['distil low waiting']),
  );
  expect(jobs).toHaveLength(store.countEverything().turns);
});

test('a fork gets only its own calls', async () => {
  await run();
  const forked = everything().filter(({ prompts }) => prompts.some(({ text }) => text === 'go another way'));
  expect(forked.map(({ events }) => events.flatMap(({ callId }) => callId ?? []))).toEqual([
    // The parent session continued after the recording, so its call toolu_resumed is only in this transcript.
    ['toolu_resumed', 'toolu_forked'],
  ]);
});

test('a second import changes nothing', async () => {
  await run();
  const once = everything();
  const jobs = store.listJobs();
  const again = await run();
  expect({ added: again.added, sessions: again.sessions }).toEqual({ added: 0, sessions: 5 });
  expect(everything()).toEqual(once);
  expect(store.listJobs()).toEqual(jobs);
});

test('an import that was stopped continues from there', async () => {
  let rounds = 0;
  for (let isStopped = true; isStopped; rounds++) {
    const stop = new AbortController();
    ({ isStopped } = await run({
      stop: stop.signal,
      onProgress: ({ sessions }) => sessions === rounds && stop.abort(),
    }));
    if (rounds > 20) throw new Error('never done');
  }
  const inPieces = everything();
  expect(rounds).toBeGreaterThan(3);
  store.close();
  paths = pathsOf(join(root, 'other home'));
  store = openSqliteStore(paths.database);
  await run();
  const inOneRun = everything();
  const gist = (sessions: typeof inOneRun) =>
    sessions.map(({ prompts, events }) => [
      prompts.map(({ text }) => text),
      events.map(({ kind, callId, outcome, text }) => ({ kind, callId, outcome, text })),
    ]);
  expect(gist(inPieces)).toEqual(gist(inOneRun));
});

test('a dry run counts without storing, including copied records in forks', async () => {
  const nowhere = pathsOf(join(root, 'nowhere'));
  const kept = paths;
  paths = nowhere;
  const dry = await run({ isDryRun: true, store: null });
  paths = kept;
  expect({ prompts: dry.prompts, sessions: dry.sessions }).toEqual({ prompts: 16, sessions: 5 });
  expect(existsSync(nowhere.home)).toBe(false);
  const known = await run({ isDryRun: true });
  expect({ added: known.added, kept: store.countEverything().events }).toEqual({ added: dry.added, kept: 0 });
});

test.each<[string, Partial<ImportOptions>, number]>([
  ['since a time before all sessions', { since: THEN - 86_400_000 }, 5],
  ['since a time after all sessions', { since: THEN }, 0],
  ['of the project', { folder: '/home/user/project' }, 5],
  ['of another project', { folder: '/home/user/other' }, 0],
  ['one session', { session: '9292fbe5-81e1-4ee8-9fc3-b64e3b6ecf90' }, 1],
])('selects sessions: %s', async (_name, options, sessions) => {
  expect((await run(options)).allSessions).toBe(sessions);
});

test('a recently active session stays open, and its unfinished call is not imported', async () => {
  const killed = agent.transcripts.findAll(projects).find(({ files }) => files[0]?.path.includes('/killed/'));
  for (const { path } of killed?.files ?? []) utimesSync(path, THEN / 1000 - 60, THEN / 1000 - 60);
  await run({ session: killed?.sessionId ?? '' });
  const [session] = everything();
  expect({ endedAt: session?.endedAt, calls: session?.events.flatMap(({ callId }) => callId ?? []) }).toEqual(
    {
      endedAt: null,
      calls: ['toolu_looked'],
    },
  );
});

test("does not import sessions of Cairn's own model calls", async () => {
  const own = join(projects, 'own');
  mkdirSync(own);
  const [killed] = agent.transcripts
    .findAll(join(payloads))
    .filter(({ files }) => files[0]?.path.includes('/killed/'));
  const text = readFileSync(killed?.files[0]?.path ?? '', 'utf8');
  writeFileSync(join(own, 'asked.jsonl'), text.replaceAll('/home/user/project', join(paths.home, 'model')));
  expect((await run({ session: 'asked' })).allSessions).toBe(0);
});

test('reports broken lines by file and number and imports the rest', async () => {
  const folder = join(projects, 'torn');
  mkdirSync(folder);
  const path = join(folder, 'torn.jsonl');
  const line = (text: string) =>
    JSON.stringify({
      type: 'user',
      uuid: text,
      timestamp: '2026-01-01T00:00:00Z',
      cwd: '/p',
      message: { content: text },
    });
  writeFileSync(path, `${line('one')}\n{"type":\n${line('two')}\n{"type":"us`);
  utimesSync(path, THEN / 1000 - 3_600, THEN / 1000 - 3_600);
  const { prompts, broken, brokenLines } = await run({ session: 'torn' });
  expect({ prompts, broken, brokenLines }).toEqual({
    prompts: 2,
    broken: 1,
    brokenLines: [{ where: `${path}:2`, why: 'it is not JSON' }],
  });
});

test('imports subagents from older clients, which kept them next to the session file', async () => {
  const folder = join(projects, 'old');
  mkdirSync(folder);
  const line = (fields: object) =>
    `${JSON.stringify({ sessionId: 'old', timestamp: '2026-01-01T00:00:00Z', cwd: '/p', ...fields })}\n`;
  const side = { isSidechain: true, agentId: 'x1' };
  writeFileSync(join(folder, 'old.jsonl'), line({ type: 'user', uuid: 'u1', message: { content: 'look' } }));
  writeFileSync(
    join(folder, 'agent-x1.jsonl'),
    line({
      ...side,
      type: 'assistant',
      uuid: 'a1',
      message: { content: [{ type: 'tool_use', id: 't1', name: 'Read', input: {} }] },
    }) +
      line({
        ...side,
        type: 'user',
        uuid: 'u2',
        message: { content: [{ type: 'tool_result', tool_use_id: 't1', content: 'x' }] },
      }),
  );
  for (const name of ['old', 'agent-x1'])
    utimesSync(join(folder, `${name}.jsonl`), THEN / 1000 - 3_600, THEN / 1000 - 3_600);
  await run({ session: 'old' });
  const [session] = everything();
  expect(session?.events.map(({ kind, callId, prompt }) => ({ kind, callId, prompt }))).toEqual([
    { kind: 'tool-end', callId: 't1', prompt: 1 },
    { kind: 'session-end', callId: null, prompt: 1 },
  ]);
});
