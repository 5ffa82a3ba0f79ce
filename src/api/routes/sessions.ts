import * as z from 'zod/mini';
import {
  count,
  cursorParameter,
  flagParameter,
  id,
  idParameter,
  idParams,
  LONGEST,
  limitedText,
  limitParameter,
  noBody,
  nullableText,
  time,
  timeParameter,
} from '../schemas/basics.ts';
import { event, session, turn } from '../schemas/session.ts';
import { handoff, plan, task, workItem } from '../schemas/work.ts';

export const project = z.object({
  id,
  name: z.string(),
  remote: z.optional(z.string()),
  places: z.array(z.string()),
  merged: z.array(z.object({ id, name: z.string() })),
  sessions: count,
  lastSeen: z.optional(time),
  memories: count,
  /** Whether the sample session created it. */
  isSample: z.boolean(),
});

/** Reading sessions, projects and work items. */
export const sessionRoutes = {
  listProjects: {
    method: 'GET',
    path: '/api/projects',
    summary: 'Projects, the last used first',
    access: 'key',
    answer: z.object({ projects: z.array(project) }),
  },
  listSessions: {
    method: 'GET',
    path: '/api/sessions',
    summary: 'Sessions, the latest first, a page at a time',
    access: 'key',
    query: z.strictObject({
      project: z.optional(idParameter),
      agent: z.optional(limitedText(LONGEST.name)),
      open: z.optional(flagParameter),
      limit: limitParameter,
      cursor: z.optional(cursorParameter),
    }),
    answer: z.object({ sessions: z.array(session), next: nullableText }),
  },
  getSession: {
    method: 'GET',
    path: '/api/sessions/{id}',
    summary: 'A session with its turns, in order, and the sessions before and after it',
    access: 'key',
    params: idParams,
    answer: z.object({ session, turns: z.array(turn), older: z.nullable(id), newer: z.nullable(id) }),
  },
  getTurn: {
    method: 'GET',
    path: '/api/turns/{id}',
    summary: 'A turn',
    access: 'key',
    params: idParams,
    answer: z.object({ turn }),
  },
  listEvents: {
    method: 'GET',
    path: '/api/turns/{id}/events',
    summary: 'The events of a turn, in order; long texts are cut',
    access: 'key',
    params: idParams,
    query: z.strictObject({
      after: z._default(timeParameter, 0),
      limit: limitParameter,
    }),
    answer: z.object({ events: z.array(event), next: z.nullable(id) }),
  },
  getEvent: {
    method: 'GET',
    path: '/api/events/{id}',
    summary: 'An event with its whole texts',
    access: 'key',
    params: idParams,
    answer: z.object({ event }),
  },
  listWorkItems: {
    method: 'GET',
    path: '/api/work-items',
    summary: 'Work items, the last changed first',
    access: 'key',
    query: z.strictObject({
      project: z.optional(idParameter),
      closed: z.optional(flagParameter),
      limit: limitParameter,
    }),
    answer: z.object({ workItems: z.array(workItem) }),
  },
  getWorkItem: {
    method: 'GET',
    path: '/api/work-items/{id}',
    summary: 'A work item with its plans, tasks, handoffs and notes',
    access: 'key',
    params: idParams,
    answer: z.object({
      workItem,
      decisions: z.array(z.string()),
      plans: z.array(plan),
      tasks: z.array(task),
      handoffs: z.array(handoff),
      notes: z.array(z.object({ id, text: z.string(), at: time })),
      sessions: z.array(
        z.object({
          agent: z.string(),
          agentSession: z.string(),
          by: z.string(),
          boundAt: time,
          lastSeen: z.nullable(time),
          endedAt: z.nullable(time),
        }),
      ),
    }),
  },
} as const;

const eventKinds = z.enum([
  'prompt',
  'tool-start',
  'tool-end',
  'permission-request',
  'subagent-end',
  'compact-start',
  'compact-end',
  'turn-end',
]);

/** Changing projects, and sessions of programs without hooks: see docs/raw-agent.md. */
export const sessionChangeRoutes = {
  openSession: {
    method: 'POST',
    path: '/api/sessions',
    summary: 'Open a session of a program of yours, in a known project',
    access: 'key',
    body: z.strictObject({
      project: id,
      session: z.optional(z.string().check(z.regex(/^[\w-]{1,100}$/))),
      source: z.optional(limitedText(LONGEST.name)),
      model: z.optional(limitedText(LONGEST.name)),
    }),
    answer: z.object({ session }),
    status: 201,
  },
  addEvents: {
    method: 'POST',
    path: '/api/sessions/{id}/events',
    summary: 'Hand in events of such a session, in order; fields as in docs/raw-agent.md',
    access: 'key',
    params: idParams,
    body: z.strictObject({
      events: z.array(z.looseObject({ event: eventKinds })).check(z.minLength(1), z.maxLength(100)),
    }),
    answer: z.object({ accepted: count }),
    status: 202,
  },
  endSession: {
    method: 'POST',
    path: '/api/sessions/{id}/end',
    summary: 'End such a session',
    access: 'key',
    params: idParams,
    body: z.strictObject({ reason: z.optional(limitedText(LONGEST.name)) }),
    answer: z.object({ session }),
  },
  renameProject: {
    method: 'PATCH',
    path: '/api/projects/{id}',
    summary: 'Rename a project; null restores its original name',
    access: 'key',
    params: idParams,
    body: z.strictObject({ name: z.nullable(limitedText(LONGEST.name).check(z.minLength(1))) }),
    answer: z.object({ project }),
  },
  mergeProjects: {
    method: 'POST',
    path: '/api/projects/{id}/merge',
    summary: 'Let a project count as another one; nothing is moved',
    access: 'key',
    params: idParams,
    body: z.strictObject({ into: id }),
    answer: z.object({ project }),
  },
  splitProject: {
    method: 'POST',
    path: '/api/projects/{id}/split',
    summary: 'Undo a merge',
    access: 'key',
    params: idParams,
    body: noBody,
    answer: z.object({ project }),
  },
} as const;
