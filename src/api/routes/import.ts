import * as z from 'zod/mini';
import { count, noBody, nullableText } from '../schemas/basics.ts';

const progress = z.object({
  state: z.enum(['idle', 'running', 'done', 'failed']),
  /** Bytes of transcripts. */
  done: count,
  all: count,
  /** The number of added events. */
  events: count,
  problem: nullableText,
});

export type ImportProgress = z.output<typeof progress>;

const importAnswer = z.object({ import: progress });

/** Importing past sessions that agents have left on this machine. */
export const importRoutes = {
  findImports: {
    method: 'GET',
    path: '/api/import/found',
    summary: 'Past sessions of agents on this machine, and how much of them was not read yet',
    access: 'key',
    answer: z.object({
      agents: z.array(z.object({ agent: z.string(), folder: z.string(), sessions: count, bytes: count })),
    }),
  },
  getImport: {
    method: 'GET',
    path: '/api/import',
    summary: 'How far the import is',
    access: 'key',
    answer: importAnswer,
  },
  startImport: {
    method: 'POST',
    path: '/api/import',
    summary: 'Import all past sessions, as cairn import does; known ones are skipped',
    access: 'key',
    body: noBody,
    answer: importAnswer,
    status: 202,
  },
  stopImport: {
    method: 'POST',
    path: '/api/import/stop',
    summary: 'Stop the import; started again, it continues there',
    access: 'key',
    body: noBody,
    answer: importAnswer,
  },
} as const;
