import type { AgentEvent, Priority } from '../../src/model/agent-event.ts';
import type { Summary } from '../../src/model/memory.ts';
import type { Job } from '../../src/store/types/job.ts';
import type { PlainStore } from '../support/plain-store.ts';

type Bare<T> = T extends AgentEvent ? Omit<T, 'sessionId'> : never;
type ToolEnd = Extract<AgentEvent, { kind: 'tool-end' }>;

export const PLACE = { path: '/repo/.git', name: 'repo', branch: 'main' };

export const NOTHING_SAID: Summary = {
  request: '',
  investigated: '',
  learned: '',
  completed: '',
  nextSteps: '',
  notes: '',
  filesRead: [],
  filesModified: [],
};

/** A session for several contracts: adds events of an agent, and claims the jobs that they cause. */
export function sessionIn(store: PlainStore, sessionId = 's') {
  let serial = 0;

  /** A whole turn with one call. */
  function turn(id: string, more: { response?: ToolEnd['response']; priority?: Priority } = {}): void {
    const { response = 'ok', priority = 'normal' } = more;
    take({ kind: 'prompt', text: id, origin: 'person', promptId: id });
    take({ ...toolEnd(id), response }, priority);
    take({ kind: 'turn-end', text: `done ${id}`, continued: false, promptId: id });
  }

  /** Continues the last turn and ends it again. */
  function again(): void {
    take({ kind: 'turn-end', text: 'more', continued: true });
  }

  function toolEnd(id: string): Omit<ToolEnd, 'sessionId'> {
    const call = { id: `call-${id}`, name: 'Edit', does: 'change' as const, input: {}, files: [] };
    return { kind: 'tool-end', call, outcome: 'success', response: 'ok', reportedBy: 'call', promptId: id };
  }

  function take(bare: Bare<AgentEvent>, priority: Priority = 'normal'): void {
    store.ingest([event(bare, priority)], 5_000);
  }

  function event(bare: Bare<AgentEvent>, priority: Priority = 'normal') {
    serial++;
    const spoolName = `${sessionId}.${serial}`;
    const common = { agent: 'claude-code', via: 'settings', at: 1000 + serial };
    const stored = { ...bare, sessionId, cwd: '/repo' } as AgentEvent;
    const captured = { ...common, event: stored, priority, spoolName };
    return { ...common, name: spoolName, hook: 'Hook', place: PLACE, events: [captured] };
  }

  function claim(): Job {
    const job = store.claimJob(['distil'], 5_000, 1_000);
    if (!job) throw new Error('there is no job');
    return job;
  }

  return { turn, again, toolEnd, take, event, claim };
}
