import { fileHistory } from './file-history.ts';
import { forget } from './forget.ts';
import { get } from './get.ts';
import { handoff } from './handoff.ts';
import { remember } from './remember.ts';
import { search } from './search.ts';
import { tasks } from './tasks.ts';
import { timeline } from './timeline.ts';
import type { Tool } from './tool.ts';
import { update } from './update.ts';

/** Ordered by how early a model should consider them. */
export const tools: Tool[] = [search, get, timeline, fileHistory, remember, tasks, handoff, update, forget];
