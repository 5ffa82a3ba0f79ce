import type { Routes } from '../route.ts';
import { accessRoutes } from './access.ts';
import { memoryRoutes } from './memories.ts';
import { sessionRoutes } from './sessions.ts';
import { upkeepRoutes } from './upkeep.ts';

export const ROUTES = {
  ...accessRoutes,
  ...memoryRoutes,
  ...sessionRoutes,
  ...upkeepRoutes,
} as const satisfies Routes;
