import { OBSERVATION_TYPES } from '../../src/model/memory.ts';
import { rememberTurn } from './memories.ts';
import type { PlainStore } from './plain-store.ts';

const DAY = 86_400_000;
const HOUR = 3_600_000;

const PLACES = ['cairn', 'harbor-api', 'field-notes'].map((name) => ({
  ...{ path: `/nowhere/${name}/.git`, name, worktree: `/nowhere/${name}`, branch: 'main' },
}));

/** Sessions of each day, the oldest day first; a number is how many memories a session made. */
const WEEK = [[5, 3, 4], [9, 6, 5, 2], [8, 6], [7, 8, 4, 3, 2], [3], [], [6, 4]];

/** A week of sessions in three projects, a work item, what agents were given, and a job that failed. */
export function fillWeek(store: PlainStore, now: number): void {
  WEEK.forEach((sessions, day) => {
    sessions.forEach((memories, index) => {
      const place = PLACES[(day + index) % PLACES.length];
      if (!place) return;
      const at = now - (6 - day) * DAY - (sessions.length - index) * 0.3 * HOUR;
      const name = `${place.name}-${day}-${index}`;
      rememberTurn(store, {
        ...{ session: name, place, at, folder: place.worktree },
        summary: {
          request: `Part ${index + 1} of day ${day + 1}: make the ${place.name} queue faster.`,
          completed: 'The queue drains twice as fast; the retry loop has a cap.',
        },
        observations: Array.from({ length: memories }, (_, number) => {
          const type = OBSERVATION_TYPES[(day * 2 + index + (number >> 1)) % OBSERVATION_TYPES.length];
          return {
            ...(type && { type }),
            title: `${type ?? 'note'} ${number + 1} about the ${place.name} queue`,
            narrative: `Measured on day ${day + 1}: case ${number + 1} waits for the lock.`,
          };
        }),
      });
    });
  });
  addWorkItem(store, now);
  addContexts(store, now);
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
  '- Write the unread line (#2, 2026-11-16)',
  'Worth knowing:',
  '#1 decision, 2026-11-16: Feed pages by (time, id) cursor',
  '- Offsets skip or repeat rows while the agent is writing',
];

function addContexts(store: PlainStore, now: number): void {
  const [last] = store.listSessions({}, 1);
  const agentSession = last?.agentSession ?? '';
  const context = { agent: 'claude-code', agentSession, source: 'start' as const, budget: 2_500 };
  const shown = [
    { memoryId: 2, how: 'line' as const, tokens: 22, reasons: ['left open'] },
    { memoryId: 1, how: 'full' as const, tokens: 61, reasons: ['pinned', 'same branch'], score: 4.2 },
  ];
  const more = { memoryId: 4, how: 'full' as const, tokens: 30, reasons: ['same files'], score: 2.1 };
  const leftOut = [{ memoryId: 5, reason: 'no room left', score: 0.4 }];
  const bodyOf = (lines: string[], given: object[], left: object[]) =>
    JSON.stringify({ text: lines.join('\n'), shown: given, leftOut: left });
  store.recordInjections([], {
    ...context,
    ...{ at: now - 0.4 * HOUR, tokens: 131, body: bodyOf(START, shown, []) },
  });
  const line = '#4 gotcha, 2026-11-16: EventSource holds one of six connections';
  store.recordInjections([], {
    ...{ ...context, source: 'prompt', budget: 400, at: now - 0.2 * HOUR, tokens: 190 },
    body: bodyOf([...START, line], [...shown, more], leftOut),
  });
}
