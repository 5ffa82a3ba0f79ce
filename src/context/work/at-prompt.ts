import { bindPrompt } from '../../continuity/bind.ts';
import type { Log } from '../../platform/log.ts';
import type { Store } from '../../store/store.ts';
import { createBudget } from '../budget.ts';
import { type Context, FRAME, NO_CONTEXT, wrapped } from '../context.ts';
import type { Scene } from '../scene.ts';
import { whereabouts } from './at-start.ts';
import { readWork, workLines } from './told-work.ts';

/**
 * Binds a session to the work that its first prompt is about. @returns that work, where the session was not
 * told of it when it began: somebody goes back to something. `words` are asked for once, clean.
 */
export function workAtPrompt(
  store: Store,
  scene: Scene,
  { words, permissionMode, log }: { words: () => string; permissionMode: string | null; log: Log },
): Context {
  const { agent, agentSession, settings, longest, now } = scene;
  if (store.workOfSession(agentSession)?.closedAt === null) return NO_CONTEXT;
  const where = whereabouts(scene);
  const text = words();
  const bound = bindPrompt(store, { agent, agentSession, ...where, text, permissionMode, at: now, log });
  const since = store.sessionTimes(agentSession)?.compactedAt ?? 0;
  const isNews = bound?.isFirst && bound.by !== 'new' && !store.wasTold(agentSession, bound.work.id, since);
  if (!bound || !isNews || settings['context.workTokens'] === 0) return NO_CONTEXT;
  const budget = createBudget({ tokens: settings['context.workTokens'], characters: longest });
  const lines = budget.spend(FRAME) ? workLines(readWork(store, bound.work), budget, now) : [];
  if (lines.length === 0) return NO_CONTEXT;
  store.noteTold(agentSession, bound.work.id, now);
  return wrapped(lines, []);
}
