import type { Routes } from '../route.ts';
import { accessRoutes } from './access.ts';

export const ROUTES = {
  ...accessRoutes,
} as const satisfies Routes;
