import type { ApiOptions } from '../api.ts';
import type { Handlers } from '../route.ts';
import type { ROUTES } from '../routes/all.ts';
import { createAccessHandlers } from './access.ts';

export type ApiHandlers = Handlers<typeof ROUTES>;

export function createHandlers(options: ApiOptions): ApiHandlers {
  return {
    ...createAccessHandlers(options),
  };
}
