import type { Store } from '../../store/store.ts';
import { type Context, joinContexts } from '../context.ts';
import type { ContextRequest } from '../context-request.ts';
import { buildWorkAtStart } from '../work/at-start.ts';
import { buildStart } from './start.ts';

/** The context that a new session would get. Nothing is recorded, and no handoff is taken. */
export function previewStart(store: Store, request: ContextRequest): Context {
  const claim = (handoffId: number) => store.getHandoff(handoffId)?.state === 'staged';
  const work = buildWorkAtStart(store, request, { source: 'startup', claim });
  const longest = Math.max(0, request.longest - work.text.length - 1);
  return joinContexts(work, buildStart(store, { ...request, longest }, { source: 'startup' }));
}
