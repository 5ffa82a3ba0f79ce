import * as z from 'zod/mini';
import { TASK_STATES, WORK_MODES } from '../../model/work.ts';
import { count, id, nullableText, nullableTime, texts, time } from './basics.ts';

export const workItem = z.object({
  id,
  name: z.string(),
  title: z.string(),
  mode: z.enum(WORK_MODES),
  projectId: id,
  project: z.string(),
  branch: nullableText,
  worktree: nullableText,
  nextSteps: z.string(),
  nextStepsAt: time,
  openedAt: time,
  changedAt: time,
  closedAt: nullableTime,
});

const taskState = z.enum(TASK_STATES);

export const plan = z.object({
  id,
  workId: id,
  version: count,
  state: z.string(),
  text: z.string(),
  hash: z.string(),
  agentSession: nullableText,
  at: time,
  decidedAt: nullableTime,
});

export const task = z.object({
  id,
  workId: id,
  number: count,
  subject: z.string(),
  description: z.string(),
  state: taskState,
  source: z.string(),
  key: nullableText,
  createdAt: time,
  changedAt: time,
});

const gitState = z.object({
  branch: z.optional(z.string()),
  head: z.optional(z.string()),
  dirty: texts,
  moreDirty: count,
  ahead: z.optional(count),
  behind: z.optional(count),
});

export const handoff = z.object({
  id,
  workId: id,
  number: count,
  state: z.string(),
  parts: z.object({
    goal: z.string(),
    state: z.string(),
    decisions: texts,
    deadEnds: texts,
    files: z.array(z.object({ path: z.string(), what: z.string() })),
    questions: texts,
    nextSteps: texts,
    note: z.string(),
  }),
  tasks: z.array(z.object({ number: count, subject: z.string(), state: taskState })),
  plan: z.nullable(z.object({ version: count, text: z.string() })),
  git: z.nullable(gitState),
  by: z.string(),
  agentSession: nullableText,
  givenTo: nullableText,
  at: time,
  takenAt: nullableTime,
  to: nullableText,
  from: nullableText,
});
