import type { Redacted } from '../model/redacted.ts';
import { describeError, type Log } from '../platform/log.ts';
import type { QueueStore } from '../store/store.ts';
import { isStoreError } from '../store/store-error.ts';
import type { Job } from '../store/types/job.ts';
import { retryAt } from './backoff.ts';

const MOST_ATTEMPTS = 6;

export interface JobOptions {
  queue: QueueStore;
  log: Log;
  now: () => number;
  /** The cause of a failure is stored with the job, and may quote a turn or a server. */
  redact: (text: string) => Redacted;
}

/** A failed job is retried later and finally buried; it never blocks the others. */
export async function runJob(
  job: Job,
  { queue, log, now, redact }: JobOptions,
  work: () => Promise<void> | void,
): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    const reason = redact(describeError(error));
    if (isStoreError(error, 'busy', 'full-disk', 'damaged')) {
      // The job is not at fault: rethrow, and the worker pauses before the next job.
      queue.postponeJob(job, reason, now());
      throw error;
    }
    if (job.attempts >= MOST_ATTEMPTS) {
      queue.buryJob(job, reason, now());
      log.error('job given up', { job: job.id, kind: job.kind, turn: job.turnId, reason });
    } else {
      queue.postponeJob(job, reason, retryAt(job.attempts, now()));
      log.warn('job postponed', {
        job: job.id,
        kind: job.kind,
        turn: job.turnId,
        attempts: job.attempts,
        reason,
      });
    }
    return false;
  }
}
