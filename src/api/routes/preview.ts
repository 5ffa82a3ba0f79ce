import * as z from 'zod/mini';
import { count, id, nullableText } from '../schemas/basics.ts';
import { settingValue } from './upkeep.ts';

export const previewRoutes = {
  previewContext: {
    method: 'POST',
    path: '/api/context/preview',
    summary: 'What a new session in a project would be given, also with settings that are not saved',
    access: 'key',
    body: z.strictObject({
      project: id,
      changes: z._default(z.record(z.string(), z.nullable(settingValue)), {}),
    }),
    answer: z.object({
      text: z.string(),
      tokens: count,
      memories: count,
      /** Why there is no context. */
      notice: nullableText,
    }),
  },
} as const;
