import { isObject, type Json } from '../../model/json.ts';
import type { TaskState, WorkReport } from '../../model/work.ts';
import type { WorkToolCall } from '../agent.ts';
import { field } from '../dialect/tools.ts';
import { clip, text } from '../dialect/wire.ts';

export const workTools = ['update_plan'];

const longestSubject = 300;

const states = new Map<Json | undefined, TaskState>([
  ['pending', 'open'],
  ['in_progress', 'doing'],
  ['completed', 'done'],
]);

/** Codex's plan is a list of steps, each with its state. */
export function findWorkReports({ kind, input, outcome }: WorkToolCall): WorkReport[] {
  const steps = field(input, 'plan');
  if (kind !== 'tool-end' || outcome !== 'success' || !Array.isArray(steps)) return [];
  const tasks = steps.filter(isObject).flatMap((step) => {
    const subject = text(step.step);
    const state = states.get(step.status);
    if (subject === undefined) return [];
    const short = clip(subject, longestSubject);
    return [{ key: short, subject: short, ...(state !== undefined && { state }) }];
  });
  return [{ kind: 'tasks', tasks, isWholeList: true }];
}
