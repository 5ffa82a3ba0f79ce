import type { AgentEvent } from '../../src/model/agent-event.ts';
import type { Json } from '../../src/model/json.ts';
import type { Place } from '../../src/model/project.ts';
import type { SpoolIntake } from '../../src/store/types/intake.ts';
import type { PlainStore } from './plain-store.ts';

export const ORCHARD: Place = {
  path: '/home/robin/orchard/.git',
  name: 'orchard',
  worktree: '/home/robin/orchard',
  branch: 'main',
};

type Bare = AgentEvent extends infer E ? (E extends AgentEvent ? Omit<E, 'sessionId'> : never) : never;

export interface CapturedInput {
  session: string;
  at: number;
  event: Bare;
  place?: Place;
}

/** A hook call as intake passes it to the store. */
export function captured({ session, at, event, place = ORCHARD }: CapturedInput): SpoolIntake {
  const name = `${session}.${serial++}`;
  const full = { ...event, sessionId: session } as AgentEvent;
  const by = { agent: 'claude-code', at, via: 'settings' };
  const isPrivate = event.kind === 'prompt' && event.text === '';
  return {
    ...by,
    name,
    hook: 'Hook',
    place,
    events: [{ ...by, event: full, priority: 'normal', spoolName: name, ...(isPrivate && { isPrivate }) }],
  };
}

let serial = 1;

export function ingestEvents(store: PlainStore, ...inputs: CapturedInput[]): void {
  store.ingest(inputs.map(captured), inputs.at(-1)?.at ?? 0);
}

export function prompt(text: string, permissionMode = 'default'): Bare {
  return { kind: 'prompt', text, origin: 'person', permissionMode };
}

export function start(source = 'startup'): Bare {
  return { kind: 'session-start', source };
}

export function end(reason = 'prompt_input_exit'): Bare {
  return { kind: 'session-end', reason };
}

/** A finished call, with the fields that a test is about. */
export function call(
  name: string,
  input: Json,
  response: Json,
  rest: Partial<Extract<AgentEvent, { kind: 'tool-end' }>> = {},
): Bare {
  return {
    kind: 'tool-end',
    call: { name, does: 'meta', input, files: [] },
    outcome: 'success',
    response,
    reportedBy: 'call',
    permissionMode: 'default',
    ...rest,
  };
}

/** The dialog in which a person accepts or rejects a plan. */
export function planAsked(plan: string): Bare {
  return {
    kind: 'permission-request',
    permissionMode: 'plan',
    call: { name: 'ExitPlanMode', does: 'meta', input: { plan }, files: [] },
  };
}

export function planAccepted(plan: string): Bare {
  return call('ExitPlanMode', {}, { plan, isAgent: false });
}
