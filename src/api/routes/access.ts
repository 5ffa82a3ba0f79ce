import * as z from 'zod/mini';
import { count, limitedText, noBody, time } from '../schemas/basics.ts';

/** Links, keys and the health of the worker. */
export const accessRoutes = {
  ping: {
    method: 'GET',
    path: '/health',
    summary: 'Whether the worker answers',
    access: 'open',
    answer: z.object({ ok: z.boolean() }),
  },
  createCode: {
    method: 'POST',
    path: '/api/codes',
    summary: 'Make a code for a link: valid once, for a minute',
    access: 'token',
    body: noBody,
    answer: z.object({ code: z.string(), expiresAt: time }),
    status: 201,
  },
  createKey: {
    method: 'POST',
    path: '/api/keys',
    summary: 'Exchange a code for a key that is valid for 30 days',
    access: 'open',
    body: z.strictObject({ code: limitedText(100) }),
    answer: z.object({ key: z.string(), expiresAt: time }),
    status: 201,
  },
  streamChanges: {
    method: 'GET',
    path: '/api/stream',
    summary: 'Changes while they happen, as server-sent events; send Last-Event-ID to continue',
    access: 'key',
    answer: null,
  },
  getHealth: {
    method: 'GET',
    path: '/api/health',
    summary: 'The worker, the spool, the queue and how much is stored',
    access: 'key',
    answer: z.object({
      version: z.string(),
      worker: z.object({ pid: count, startedAt: time, residentBytes: count }),
      spool: z.object({ pending: count, torn: count }),
      databaseBytes: count,
      stored: z.object({
        projects: count,
        sessions: count,
        openSessions: count,
        prompts: count,
        events: count,
        turns: count,
        openTurns: count,
        waitingJobs: count,
        deadJobs: count,
        memories: count,
        schemaVersion: count,
      }),
      pendingDocuments: count,
      pauses: z.array(z.object({ what: z.string(), since: time })),
      hooks: z.array(z.object({ agent: z.string(), hook: z.string(), via: z.string(), lastAt: time, count })),
    }),
  },
} as const;
