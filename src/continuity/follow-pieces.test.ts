import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type CapturedInput,
  call,
  captured,
  end,
  planAccepted,
  planAsked,
  prompt,
  start,
} from '../../test/support/captured.ts';
import { openPlainStore, type PlainStore } from '../../test/support/plain-store.ts';
import { tempFolder } from '../../test/support/temp.ts';
import { createLog } from '../platform/log.ts';
import type { SpoolIntake } from '../store/types/intake.ts';
import { followEvents } from './follow.ts';

const START = Date.parse('2026-03-01T10:00:00Z');
const MINUTE = 60_000;

const PLANS = [
  '1. Parse tokens\n2. Print errors',
  '1. Parse tokens\n2. Print errors\n3. Ship',
  '1. Draw icons',
];
const todos = (...list: [string, string][]) => {
  const newTodos = list.map(([content, status]) => ({ content, status }));
  return call('TodoWrite', { todos: newTodos }, { newTodos });
};
const EVENTS: CapturedInput['event'][] = [
  prompt('Fix the login form: it loses the email'),
  prompt('the login form loses the email again'),
  prompt('Write a changelog for the release of the parser'),
  prompt('continue'),
  prompt('hi'),
  prompt('/init'),
  prompt(''),
  prompt('Draw new icons for the toolbar', 'plan'),
  prompt('work: fix-login-form'),
  call('Bash', { command: 'ls' }, { stdout: '' }),
  call('Bash', { command: 'ls' }, { stdout: '' }, { permissionMode: 'plan' }),
  call('Bash', { command: 'ls' }, { stdout: '' }, { subagent: { id: 'x', type: 'Explore' } }),
  ...PLANS.flatMap((plan) => [planAsked(plan), planAccepted(plan)]),
  call('ExitPlanMode', {}, 'User has approved your plan'),
  call('ExitPlanMode', {}, 'No', { outcome: 'refused' }),
  todos(['Parse the tokens', 'completed'], ['Print errors', 'in_progress']),
  todos(['Print errors', 'completed']),
  todos(),
  call('TaskCreate', { subject: 'Ship it' }, { task: { id: '1', subject: 'Ship it' } }),
  call('TaskUpdate', { taskId: '1', status: 'completed' }, { success: true }),
  { kind: 'turn-end', text: 'Done.', continued: false },
  start(),
  start('resume'),
  start('compact'),
  end(),
  end(),
];

const stories = fc
  .array(
    fc.record({
      session: fc.constantFrom('a', 'b', 'c'),
      event: fc.constantFrom(...EVENTS),
      wait: fc.constantFrom(1_000, 1_000, 1_000, 20 * MINUTE, 40 * MINUTE),
    }),
    { minLength: 1, maxLength: 25 },
  )
  .map((steps) => {
    let at = START;
    return steps.map(({ wait, ...step }): CapturedInput => {
      at += wait;
      return { ...step, at };
    });
  });

/** Each step follows some events, follows some and dies before the commit, or ingests some again. */
const interruptions = fc.array(
  fc.record({
    what: fc.constantFrom('follow', 'die', 'ingest again'),
    limit: fc.integer({ min: 1, max: 6 }),
  }),
  { maxLength: 12 },
);

test('pieces, interruptions and repeated events do not change the result', () => {
  const folder = tempFolder();
  const log = createLog({ folder: join(folder, 'logs'), from: 'test' });
  let number = 0;

  const run = (
    follower: (store: PlainStore, files: SpoolIntake[], now: number) => void,
    story: CapturedInput[],
  ) => {
    const store = openPlainStore(join(folder, `${number++}.db`));
    try {
      const files = story.map(captured);
      const now = story.at(-1)?.at ?? START;
      follower(store, files, now);
      followEvents(store, { log, now });
      return stateOf(store);
    } finally {
      store.close();
    }
  };

  fc.assert(
    fc.property(stories, interruptions, (story, steps) => {
      const atOnce = run((store, files, now) => store.ingest(files, now), story);
      const inPieces = run((store, files, now) => {
        store.ingest(files, now);
        for (const { what, limit } of steps) {
          if (what === 'ingest again') store.ingest(files.slice(0, limit), now);
          else if (what === 'follow') followEvents(store, { log, now, limit });
          else
            expect(() => runAndDie(store, () => followEvents(store, { log, now, limit }))).toThrow('killed');
        }
      }, story);
      expect(inPieces).toEqual(atOnce);
    }),
    { numRuns: 25 },
  );
});

/** Runs the work and rolls it back, like a process that dies before it commits. */
function runAndDie(store: PlainStore, work: () => void): void {
  store.runInTransaction(() => {
    work();
    throw new Error('killed');
  });
}

function stateOf(store: PlainStore): object[] {
  return store.listWorkItems({ limit: 50, withClosed: true }).map(({ id, changedAt, ...work }) => ({
    ...work,
    sessions: store.listWorkItemSessions(id),
    plans: store.listPlans(id),
    tasks: store.listTasks(id).map((task) => ({ ...task, changes: store.listTaskChanges(task.id) })),
  }));
}
