import type { WorkMode } from '../../model/work.ts';

/** What can happen to a work item. */
export type WorkItemEvent =
  | 'taken up'
  | 'planned'
  | 'handed off'
  | 'ended with handoff'
  | 'ended with plan'
  | 'ended with neither'
  | 'closed'
  | 'handoff gone'
  | 'plan gone';

/**
 * The allowed changes of mode; all others are refused. While a session is active, plans and handoffs change nothing:
 * they count when the session ends. docs/continuity.md shows the same table.
 */
export const TRANSITIONS: Record<WorkMode, Partial<Record<WorkItemEvent, WorkMode>>> = {
  idle: {
    'taken up': 'active',
    // Set even before the work begins: if the session is killed now, the plan is already pending.
    planned: 'has_plan',
    'handed off': 'has_handoff',
    closed: 'idle',
  },
  has_plan: {
    'taken up': 'active',
    planned: 'has_plan',
    'handed off': 'has_handoff',
    'plan gone': 'idle',
    closed: 'idle',
  },
  has_handoff: {
    'taken up': 'active',
    planned: 'has_handoff',
    'handed off': 'has_handoff',
    'plan gone': 'has_handoff',
    'handoff gone': 'idle',
    closed: 'idle',
  },
  active: {
    'taken up': 'active',
    planned: 'active',
    'handed off': 'active',
    'plan gone': 'active',
    'handoff gone': 'active',
    'ended with handoff': 'has_handoff',
    'ended with plan': 'has_plan',
    'ended with neither': 'idle',
    closed: 'idle',
  },
};

/** @returns null if the change is not allowed. */
export function nextMode(mode: WorkMode, event: WorkItemEvent): WorkMode | null {
  return TRANSITIONS[mode][event] ?? null;
}
