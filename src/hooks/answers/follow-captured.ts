import { followEvents } from '../../continuity/follow.ts';
import { describeError } from '../../platform/log.ts';
import type { OpenCall } from './answer-call.ts';

/** For what was captured a moment ago; what a worker that was away for long has left is not ours to do. */
const FOLLOW_MS = 10;
const FOLLOWED_AT_ONCE = 20;

/** What has been captured and not been looked at yet may change which work items wait. */
export function followCaptured({ store, log, now }: OpenCall): void {
  try {
    const end = now() + FOLLOW_MS;
    while (followEvents(store, { log, now: now(), limit: FOLLOWED_AT_ONCE }) === FOLLOWED_AT_ONCE)
      if (now() > end) break;
  } catch (error) {
    log.debug('work items left to another process', { cause: describeError(error) });
  }
}
