import { afterEach, beforeEach } from 'vitest';
import type { AgentEvent } from '../../src/model/agent-event.ts';
import type { Place } from '../../src/model/project.ts';
import type { WorkItem } from '../../src/model/work.ts';
import type { NewTask, NewWorkItem } from '../../src/store/types/work.ts';
import type { PlainStore } from '../support/plain-store.ts';

/** A distilled turn. */
interface DistilledTurn {
  session?: string;
  at: number;
  place: Place;
  observations?: { title: string; narrative?: string }[];
}

export type RememberTurn = (store: PlainStore, turn: DistilledTurn) => void;

export type Orchard = ReturnType<typeof setUpOrchard>;

/** Opens a store with one project for each test, and returns functions that add to it. */
export function setUpOrchard(open: () => PlainStore, rememberTurn: RememberTurn) {
  let store: PlainStore;
  let project: number;
  beforeEach(() => {
    store = open();
    project = projectAt(ORCHARD);
  });
  afterEach(() => store.close());
  return { store: () => store, project: () => project, projectAt, addWork, bind, learn, take };

  function projectAt({ name: called, remote }: typeof ORCHARD): number {
    const id = store.projectFor({ name: called, remote }, { now: 1 });
    if (id === null) throw new Error('There is no project.');
    return id;
  }

  function addWork(named: string, more: Partial<NewWorkItem> = {}): WorkItem {
    const work = { name: named, title: named, projectId: project, branch: null, worktree: null, at: 100 };
    return store.addWorkItem({ ...work, ...more });
  }

  function bind(agentSession: string, workId: number, at: number): void {
    store.bindSession({ agent: 'claude-code', agentSession, workId, by: 'new', at });
  }

  function learn(session: string, at: number, title: string): void {
    rememberTurn(store, { session, at, place: ORCHARD, observations: [{ title }] });
  }

  function take(session: string, bare: Bare, at: number, isPrivate = false, via = 'settings'): void {
    serial++;
    const spoolName = `${session}.${serial}`;
    const event = { ...bare, sessionId: session } as AgentEvent;
    const captured = { agent: 'claude-code', event, at, via, spoolName, projectDir: '/orchard/src' };
    store.ingest(
      [
        {
          ...{ name: spoolName, agent: 'claude-code', hook: 'Hook', via, at },
          place: ORCHARD,
          events: [{ ...captured, priority: 'normal', ...(isPrivate && { isPrivate }) }],
        },
      ],
      at,
    );
  }
}

let serial = 0;

type Bare = AgentEvent extends infer E ? (E extends AgentEvent ? Omit<E, 'sessionId'> : never) : never;

const ORCHARD = {
  path: '/orchard/.git',
  name: 'orchard',
  remote: 'example.com/orchard',
  branch: 'main',
  worktree: '/orchard',
} satisfies Place;
export const MEADOW = { ...ORCHARD, path: '/meadow/.git', name: 'meadow', remote: 'example.com/meadow' };

export function plan(
  more: Partial<Parameters<PlainStore['addPlan']>[0]> = {},
): Parameters<PlainStore['addPlan']>[0] {
  return { workId: 1, text: '# Plan', hash: 'h1', state: 'proposed', agentSession: 's1', at: 200, ...more };
}

export function task(more: Partial<NewTask> = {}): NewTask {
  return {
    workId: 1,
    subject: 'Prune',
    description: 'the apples',
    state: 'open',
    source: 'agent',
    key: 's1 1',
    at: 200,
    ...more,
  };
}

type NewHandoff = Parameters<PlainStore['addHandoff']>[0];

export function handoff(more: Partial<NewHandoff> = {}): NewHandoff {
  return {
    workId: 1,
    parts: {
      goal: 'Prune',
      state: 'half',
      decisions: ['in winter'],
      deadEnds: ['a ladder'],
      files: [{ path: 'trees.md', what: 'listed' }],
      questions: ['the pears?'],
      nextSteps: ['the plums'],
      note: 'mind the wasps',
    },
    tasks: [{ number: 1, subject: 'Prune', state: 'doing' }],
    plan: { version: 1, text: '# Plan' },
    git: { branch: 'main', dirty: ['trees.md'], moreDirty: 0 },
    by: 'agent',
    agentSession: 's1',
    at: 300,
    ...more,
  };
}

export function ended(tool: string, id: string): Extract<Bare, { kind: 'tool-end' }> {
  const call = { id, name: tool, does: 'meta' as const, input: { subject: 'x' }, files: [] };
  return { kind: 'tool-end', call, outcome: 'success', response: { id: 1 }, reportedBy: 'call' };
}
