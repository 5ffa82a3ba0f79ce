import { OBSERVATION_TYPES } from '../../src/model/memory.ts';
import type { NewGivenContext } from '../../src/store/types/injection.ts';
import { rememberTurn } from './memories.ts';
import type { PlainStore } from './plain-store.ts';

const DAY = 86_400_000;
const HOUR = 3_600_000;

const PLACES = ['cairn', 'harbor-api', 'field-notes'].map((name) => ({
  ...{ path: `/nowhere/${name}/.git`, name, worktree: `/nowhere/${name}`, branch: 'main' },
}));

/** Sessions of each day, the oldest day first; a number is the count of the session's memories. */
const WEEK = [[5, 3, 4], [9, 6, 5, 2], [8, 6], [7, 8, 4, 3, 2], [3], [], [6, 4]];

const REQUESTS = [
  'Rows jump when new ones arrive while I scroll. Fix that.',
  'Webhook retries hammer the partner when it is down.',
  'Photos taken offline should upload in order.',
  'Make the queue drain faster after a restart.',
  'Why does the nightly export take an hour?',
];
const RESULTS = [
  'The list keeps its position; new rows wait behind a button.',
  'Exponential backoff with jitter, capped at 15 minutes; dead letters after 8 tries.',
  'Uploads follow the capture order, also after a restart.',
  'The queue drains twice as fast: one transaction per batch instead of one per job.',
  'The export read every row twice; it streams them now and takes four minutes.',
];
const TITLES: Record<string, string[]> = {
  preference: [
    'Plain words in the interface, no jargon',
    'Never log request bodies',
    'Small commits, one idea each',
  ],
  decision: [
    'Feed pages by (time, id) cursor',
    'Backoff caps at 15 minutes, 8 tries',
    'Capture order beats upload order',
  ],
  bugfix: ['Retry loop ignored Retry-After', 'Scroll position lost on insert', 'Export read every row twice'],
  gotcha: [
    'EventSource holds one of six connections',
    'SQLite locks the whole file',
    'Clock skew between phones',
  ],
  feature: ['Unread line in the feed', 'Upload queue keeps capture order', 'Dead letters can be retried'],
  refactor: [
    'Backoff moved to lib/backoff.ts',
    'One height table for all rows',
    'Queue split by kind of job',
  ],
  change: ['Bump vitest to 4.1', 'Rename jobs.ts to queue.ts', 'Drop support for Node 18'],
  discovery: [
    'Preact and Solid start equally fast',
    'Half of all retries are duplicates',
    'Most exports are empty',
  ],
  'how-it-works': [
    'How the virtual list measures rows',
    'How the spool survives a crash',
    'How photos get numbers',
  ],
};

/** A week of sessions in three projects, a work item, what agents were given, and a job that failed. */
export function fillWeek(store: PlainStore, now: number): void {
  let serial = 0;
  WEEK.forEach((sessions, day) => {
    sessions.forEach((memories, index) => {
      const place = PLACES[(day + index) % PLACES.length];
      if (!place) return;
      const at = endOf(now, day, index, sessions.length);
      const session = `${place.name}-${day}-${index}`;
      const half = Math.floor(memories / 2);
      const observations = Array.from({ length: memories }, (_, number) => {
        const type =
          OBSERVATION_TYPES[(day * 2 + index + (number >> 1)) % OBSERVATION_TYPES.length] ?? 'change';
        const title = pick(TITLES[type] ?? [], serial++);
        return { type, title, narrative: `${title}: measured on day ${day + 1}, case ${number + 1}.` };
      });
      const texts = { request: pick(REQUESTS, day + index), completed: pick(RESULTS, day + index) };
      const turn = { session, place, folder: place.worktree };
      if (half > 0)
        rememberTurn(store, {
          ...turn,
          at: at - HOUR,
          summary: texts,
          observations: observations.slice(0, half),
        });
      rememberTurn(store, {
        ...{ ...turn, at, observations: observations.slice(half) },
        summary: { ...texts, request: pick(REQUESTS, day + index + 1) },
      });
    });
  });
  addWorkItem(store, now);
  addContexts(store, now);
  failJob(store, now);
}

/** Spread over a working day; those of today have just ended. */
function endOf(now: number, day: number, index: number, sessions: number): number {
  if (day === 6) return now - (sessions - index) * 0.3 * HOUR;
  const midnight = new Date(now - (6 - day) * DAY).setHours(0, 0, 0, 0);
  return midnight + (9.6 + index * 2.4 + (day % 3) * 0.7) * HOUR;
}

function pick(words: string[], number: number): string {
  return words[number % words.length] ?? '';
}

/** A turn whose job has failed for good. */
function failJob(store: PlainStore, now: number): void {
  const at = now - 2 * HOUR;
  const [place] = PLACES;
  if (!place) return;
  rememberTurn(store, { session: 'cairn-failed', place, at, folder: place.worktree, observations: [] });
  const session = store.findSessionOfAgent('claude-code', 'cairn-failed');
  const [turn] = session ? store.listTurns(session.id) : [];
  if (!turn) return;
  store.addJob('distil', turn.id, 'normal', at);
  const job = store.claimJob(['distil'], at, 1_000);
  if (job) store.buryJob(job, 'The model answered 529 (overloaded) five times in a row.', at);
}

function addWorkItem(store: PlainStore, at: number): void {
  const project = store.listProjects().find(({ name }) => name === 'cairn');
  if (!project) return;
  const { id: workId } = store.addWorkItem({
    ...{ name: 'viewer-feed', title: 'Feed of the viewer', projectId: project.id },
    ...{ branch: 'viewer', worktree: null, at: at - DAY },
  });
  store.addPlan({
    ...{ workId, hash: 'one', state: 'accepted', agentSession: 'cairn-6-0', at: at - DAY },
    text: '# Plan\n\n1. Keep the scroll position\n2. Mark what is unread\n3. Page by cursor',
  });
  const states = ['done', 'done', 'doing', 'open', 'dropped'] as const;
  const subjects = [
    'Page by cursor',
    'Measure the rows',
    'Keep the scroll position',
    'Mark what is unread',
    'Graph',
  ];
  states.forEach((state, index) => {
    store.addTask({
      ...{ workId, subject: subjects[index] ?? '', description: '', state, source: 'plan', key: null, at },
    });
  });
  store.addWorkNote(workId, 'Rows must not jump while a person reads.', at);
  store.addHandoff({
    ...{ workId, tasks: [], plan: null, by: 'agent', agentSession: 'cairn-6-0', at: at - HOUR },
    git: { branch: 'viewer', head: '8c41f2e0', dirty: ['src/page/feed.ts'], moreDirty: 0, ahead: 2 },
    parts: {
      ...{ goal: 'A feed that does not jump.', state: 'Cursor paging works; the unread line is missing.' },
      ...{ decisions: ['Fixed row heights'], deadEnds: ['IntersectionObserver was too late'] },
      ...{ files: [{ path: 'src/page/feed.ts', what: 'the list' }], questions: [], note: '' },
      nextSteps: ['Write the unread line'],
    },
  });
}

const START = [
  'What Cairn remembers of cairn:',
  'Left open:',
  '- Write the unread line (#3, 2026-11-16)',
  'Worth knowing:',
  '#1 preference, 2026-11-16: Plain words in the interface, no jargon',
  '- Said twice: labels are read aloud by people who do not write code',
  '#5 decision, 2026-11-16: Feed pages by (time, id) cursor',
  '- Offsets skip or repeat rows while the agent is writing',
];

function addContexts(store: PlainStore, now: number): void {
  const last = store.listSessions({}, 50).find(({ project }) => project === 'cairn');
  const agentSession = last?.agentSession ?? '';
  const context = { agent: 'claude-code', agentSession, source: 'start' as const, budget: 2_500 };
  const shown = [
    { memoryId: 3, how: 'line' as const, tokens: 22, reasons: ['left open'] },
    {
      ...{ memoryId: 1, how: 'full' as const, tokens: 61, reasons: ['pinned', 'same branch'], score: 15.4 },
      parts: [
        { name: 'pinned', points: 8 },
        { name: 'preference', points: 4 },
        { name: 'from this branch', points: 3 },
        { name: 'from 2026-11-16', points: 1.4 },
        { name: 'its file has changed', points: -1 },
      ],
    },
    {
      ...{ memoryId: 5, how: 'claims' as const, tokens: 48, reasons: ['from this branch'], score: 6.2 },
      parts: [
        { name: 'from this branch', points: 3 },
        { name: 'decision', points: 2 },
        { name: 'from 2026-11-16', points: 1.2 },
      ],
    },
  ];
  const more = { memoryId: 6, how: 'full' as const, tokens: 30, reasons: ['same files'], score: 5.1 };
  const leftOut = [
    {
      ...{ memoryId: 4, reason: 'no room left', score: 2.4 },
      parts: [
        { name: 'bugfix', points: 1 },
        { name: 'from 2026-11-14', points: 1.4 },
      ],
    },
    {
      memoryId: 9,
      reason: 'its files are gone',
      score: -1.6,
      parts: [{ name: 'its files are gone', points: -3 }],
    },
  ];
  const bodyOf = (lines: string[], given: object[], left: object[]) =>
    JSON.stringify({ text: lines.join('\n'), shown: given, leftOut: left });
  const record = (
    given: NewGivenContext,
    memories: { memoryId: number; tokens: number; reasons: string[] }[],
  ) => {
    const { agent, source, at } = given;
    const rows = memories.map(({ memoryId, tokens, reasons }) => ({
      ...{ agent, agentSession, source, memoryId, tokens, reason: reasons.join(' · '), at },
    }));
    store.recordInjections(rows, given);
  };
  record({ ...context, at: now - 0.4 * HOUR, tokens: 1_131, body: bodyOf(START, shown, []) }, shown);
  const line = '#6 bugfix, 2026-11-16: Scroll position lost on insert';
  record(
    {
      ...{ ...context, source: 'prompt', budget: 400, at: now - 0.2 * HOUR, tokens: 290 },
      body: bodyOf([...START, line], [...shown, more], leftOut),
    },
    [...shown, more],
  );
}
