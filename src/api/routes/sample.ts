import * as z from 'zod/mini';
import { count, noBody } from '../schemas/basics.ts';

/** A recorded session for people who have no session of their own yet. */
export const sampleRoutes = {
  playSample: {
    method: 'POST',
    path: '/api/sample',
    summary: 'Play the sample session through the hooks, into a project of its own; takes some seconds',
    access: 'key',
    body: noBody,
    answer: z.object({ isPlaying: z.boolean() }),
    status: 202,
  },
  removeSample: {
    method: 'POST',
    path: '/api/sample/remove',
    summary: 'Forget everything of the sample project for good, and the project itself',
    access: 'key',
    body: noBody,
    answer: z.object({ memories: count }),
  },
} as const;
