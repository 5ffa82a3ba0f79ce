import type { Redacted } from '../model/redacted.ts';
import { describeError, type Log } from '../platform/log.ts';
import type { Job, QueueStore } from '../store/queue-store.ts';
import { retryAt } from './backoff.ts';

const MOST_ATTEMPTS = 6;

export interface JobWorld {
  queue: QueueStore;
  log: Log;
  now: () => number;
  /** A cause may quote what a turn or a server said, and it is stored with the job. */
  redact: (text: string) => Redacted;
}

/** A job that fails is tried again later, and buried in the end; it never stands in the way of the others. */
export async function runJob(
  job: Job,
  { queue, log, now, redact }: JobWorld,
  work: () => Promise<void> | void,
): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    const reason = redact(describeError(error));
    if (isTroubleOfTheMachine(error)) {
      // Whoever runs jobs has to rest before it goes on.
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

/** A locked database, a full disk or a damaged file is not the job's fault. */
function isTroubleOfTheMachine(error: unknown): boolean {
  return error instanceof Error && /^(BusyDatabase|FullDisk|DamagedDatabase)Error$/.test(error.name);
}
