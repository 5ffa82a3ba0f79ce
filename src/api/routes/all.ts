import type { Routes } from '../route.ts';
import { accessRoutes } from './access.ts';
import { doctorRoutes } from './doctor.ts';
import { feedRoutes } from './feed.ts';
import { forgetRoutes } from './forget.ts';
import { importRoutes } from './import.ts';
import { memoryChangeRoutes, memoryRoutes } from './memories.ts';
import { previewRoutes } from './preview.ts';
import { sampleRoutes } from './sample.ts';
import { sessionChangeRoutes, sessionRoutes } from './sessions.ts';
import { teamRoutes } from './team.ts';
import { upkeepRoutes } from './upkeep.ts';

export const ROUTES = {
  ...accessRoutes,
  ...feedRoutes,
  ...memoryRoutes,
  ...memoryChangeRoutes,
  ...forgetRoutes,
  ...sessionRoutes,
  ...sessionChangeRoutes,
  ...upkeepRoutes,
  ...doctorRoutes,
  ...previewRoutes,
  ...sampleRoutes,
  ...importRoutes,
  ...teamRoutes,
} as const satisfies Routes;
