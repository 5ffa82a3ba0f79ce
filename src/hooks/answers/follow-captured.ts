import { followEvents } from '../../continuity/follow.ts';
import { describeError } from '../../platform/log.ts';
import type { OpenCall } from './answer-call.ts';

/** The time limit for recent events; the worker handles an older backlog. */
const FOLLOW_MS = 10;
const FOLLOWED_AT_ONCE = 20;

/** Captured events may change which work items are pending. */
export function followCaptured({ store, log, now }: OpenCall): void {
  try {
    const end = now() + FOLLOW_MS;
    while (followEvents(store, { log, now: now(), limit: FOLLOWED_AT_ONCE }) === FOLLOWED_AT_ONCE)
      if (now() > end) break;
  } catch (error) {
    log.debug('work items left to another process', { cause: describeError(error) });
  }
}
