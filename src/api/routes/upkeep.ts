import * as z from 'zod/mini';
import {
  count,
  id,
  LONGEST,
  limitedText,
  limitParameter,
  nullableText,
  nullableTime,
  time,
  timeParameter,
} from '../schemas/basics.ts';

const counts = z.array(z.object({ name: z.string(), count }));
const job = z.object({
  id,
  kind: z.string(),
  turnId: id,
  generation: count,
  priority: z.string(),
  state: z.enum(['waiting', 'leased', 'dead']),
  attempts: count,
  notBefore: time,
  error: nullableText,
  createdAt: time,
});

/** In milliseconds. */
const latency = z.object({ name: z.string(), count, median: count, slow: count });

export const settingValue = z.union([z.string(), z.number(), z.array(z.string())]);
export const setting = z.object({
  name: z.string(),
  value: settingValue,
  default: settingValue,
  from: z.enum(['default', 'file', 'environment']),
  kind: z.enum(['number', 'text', 'list', 'choice']),
  choices: z.optional(z.array(z.string())),
  min: z.optional(count),
  about: z.string(),
});

/** Maintenance of Cairn itself. */
export const upkeepRoutes = {
  listJobs: {
    method: 'GET',
    path: '/api/queue',
    summary: 'Pending and failed jobs, the most urgent first',
    access: 'key',
    answer: z.object({ jobs: z.array(job) }),
  },
  listLogLines: {
    method: 'GET',
    path: '/api/logs',
    summary: 'The latest lines of the log, the oldest of them first',
    access: 'key',
    query: z.strictObject({
      level: z._default(z.enum(['debug', 'info', 'warn', 'error']), 'debug'),
      from: z.optional(limitedText(LONGEST.name)),
      limit: limitParameter,
    }),
    answer: z.object({ lines: z.array(z.record(z.string(), z.unknown())) }),
  },
  listSettings: {
    method: 'GET',
    path: '/api/settings',
    summary: 'Every setting with its value, its default and its meaning',
    access: 'key',
    answer: z.object({ settings: z.array(setting), problems: z.array(z.string()) }),
  },
  changeSettings: {
    method: 'PATCH',
    path: '/api/settings',
    summary: 'Change settings by name; null restores the default',
    access: 'key',
    body: z.strictObject({ changes: z.record(z.string(), z.nullable(settingValue)) }),
    answer: z.object({ settings: z.array(setting), problems: z.array(z.string()) }),
  },
  retryJobs: {
    method: 'POST',
    path: '/api/queue/retry',
    summary: 'Make a failed or postponed job due at once, or all of them',
    access: 'key',
    body: z.strictObject({ job: z.union([id, z.literal('all')]) }),
    answer: z.object({ queued: count }),
  },
  getStatistics: {
    method: 'GET',
    path: '/api/statistics',
    summary:
      'Memories by type, project and day; what agents were given; events and model calls by day; how long hooks and searches took',
    access: 'key',
    answer: z.object({
      byType: counts,
      byProject: counts,
      byDay: counts,
      modelCallsByDay: counts,
      memoriesByDay: counts,
      givenByDay: z.array(z.object({ name: z.string(), contexts: count, tokens: count })),
      reuse: z.object({ memories: count, given: count, givenAgain: count }),
      latency: z.object({ hooks: z.array(latency), searches: z.array(latency) }),
    }),
  },
  describePeriod: {
    method: 'GET',
    path: '/api/period',
    summary: 'The sessions of a span of time with what they taught, and what agents were given in it',
    access: 'key',
    query: z.strictObject({ from: timeParameter, to: timeParameter }),
    answer: z.object({
      sessions: z.array(
        z.object({
          id,
          agent: z.string(),
          project: z.string(),
          title: nullableText,
          firstSeen: time,
          lastSeen: time,
          endedAt: nullableTime,
          at: time,
          byType: counts,
        }),
      ),
      tokensGiven: count,
      memoriesGiven: count,
    }),
  },
} as const;
