import * as z from 'zod/mini';
import { noBody } from '../schemas/basics.ts';

const state = z.enum(['ok', 'warn', 'bad']);

export const doctorRoutes = {
  runDoctor: {
    method: 'POST',
    path: '/api/doctor',
    summary: 'Diagnose problems and suggest fixes, as cairn doctor does; takes some seconds',
    access: 'key',
    body: noBody,
    answer: z.object({
      state,
      checks: z.array(
        z.object({ name: z.string(), state, message: z.string(), fix: z.optional(z.string()) }),
      ),
    }),
  },
} as const;
