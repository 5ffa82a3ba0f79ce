import * as z from 'zod/mini';
import { count, id, idParams, noBody, nullableText, nullableTime, time } from '../schemas/basics.ts';
import { sharing } from '../schemas/memory.ts';

const project = z.object({
  id,
  name: z.string(),
  /** The project's name in the team; null if it has neither a remote address nor a chosen name. */
  key: nullableText,
  /** Whether changes made here are shared. */
  isShared: z.boolean(),
  /** Whether changes shared by others are read here. */
  isRead: z.boolean(),
  canWrite: z.boolean(),
  /** The number of changes that the server does not have yet. */
  pending: count,
  /** Older items that would be shared with `withPast`. */
  unshared: z.object({ memories: count, workItems: count }),
});

export const teamRoutes = {
  getTeam: {
    method: 'GET',
    path: '/api/team',
    summary: 'The team of this home, its projects, and pending changes; does not ask the server',
    access: 'key',
    answer: z.object({
      team: z.nullable(
        z.object({
          member: z.string(),
          machine: z.string(),
          server: z.string(),
          isEncrypted: z.boolean(),
          joinedAt: time,
          syncedAt: nullableTime,
          problem: z.nullable(z.object({ reason: z.string(), message: z.string(), at: time })),
          pending: count,
          aside: z.array(z.object({ project: nullableText, problem: z.string(), at: time })),
          asideCount: count,
          refused: count,
          /** The number of memories received from others. */
          received: count,
        }),
      ),
      projects: z.array(project),
    }),
  },
  listTeamPeople: {
    method: 'GET',
    path: '/api/team/people',
    summary: "Members and machines, as the team's server knows them, and who has not confirmed deletions",
    access: 'key',
    answer: z.object({
      members: z.array(
        z.object({
          name: z.string(),
          isMe: z.boolean(),
          isReadOnly: z.boolean(),
          seesAllProjects: z.boolean(),
          hasAccess: z.boolean(),
        }),
      ),
      machines: z.array(
        z.object({
          member: z.string(),
          label: nullableText,
          isThis: z.boolean(),
          state: z.enum(['joined', 'invited', 'revoked']),
          lastSeen: nullableTime,
          /** The number of deletions that the machine has not confirmed. */
          unconfirmed: count,
        }),
      ),
    }),
  },
  shareProject: {
    method: 'POST',
    path: '/api/team/projects/{id}/share',
    summary: 'Share a project from now on, or with what was made before',
    access: 'key',
    params: idParams,
    body: z.strictObject({ withPast: z.boolean() }),
    answer: z.object({ project }),
  },
  unshareProject: {
    method: 'POST',
    path: '/api/team/projects/{id}/unshare',
    summary: 'Stop sharing a project and delete for others what was shared from here',
    access: 'key',
    params: idParams,
    body: noBody,
    answer: z.object({ project, items: count }),
  },
  shareMemory: {
    method: 'POST',
    path: '/api/team/memories/{id}/share',
    summary: 'Share one memory of a shared project, though it is older than the share or global',
    access: 'key',
    params: idParams,
    body: noBody,
    answer: z.object({ sharing }),
  },
  unshareMemory: {
    method: 'POST',
    path: '/api/team/memories/{id}/unshare',
    summary: 'Keep one memory private for good and delete it for others if they have it',
    access: 'key',
    params: idParams,
    body: noBody,
    answer: z.object({ sharing }),
  },
} as const;
