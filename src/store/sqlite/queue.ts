import type { Priority } from '../../model/agent-event.ts';
import type { Redacted } from '../../model/redacted.ts';
import type { Job } from '../types/job.ts';
import { type Database, inTransaction } from './open.ts';

const COLUMNS = `id, kind, turn_id AS turnId, generation, priority, state, attempts, not_before AS notBefore, error,
  created_at AS createdAt`;
const URGENCY = "CASE priority WHEN 'high' THEN 0 WHEN 'normal' THEN 1 ELSE 2 END";

/** Jobs, inserted in the transaction that causes them. */
export function createQueueQueries(db: Database) {
  return {
    /** The most urgent due job, leased to the caller. */
    claimJob: (kinds: string[], now: number, leaseMs: number): Job | null =>
      inTransaction(db, () => claim(db, kinds, now, leaseMs)),
    /** Retries later. Ignored if the job changed since it was claimed. */
    postponeJob(job: Job, error: Redacted, notBefore: number): void {
      db.prepare(`
        UPDATE jobs SET state = 'waiting', error = ?, not_before = ?, leased_until = NULL
        WHERE id = ? AND generation = ?`).run(error, notBefore, job.id, job.generation);
    },
    /** Not retried; the reason is kept. */
    buryJob(job: Job, error: Redacted, now: number): void {
      db.prepare(`
        UPDATE jobs SET state = 'dead', error = ?, not_before = ?, leased_until = NULL
        WHERE id = ? AND generation = ?`).run(error, now, job.id, job.generation);
    },
    finishJob: (job: Job): void => finishJob(db, job),
    addJob: (kind: string, turnId: number, priority: Priority, now: number): void =>
      addJob(db, kind, turnId, priority, now),
    /** Makes leased jobs pending again. Only for a caller that knows that no other worker is running. */
    releaseLeases(): number {
      const freed = db
        .prepare("UPDATE jobs SET state = 'waiting', leased_until = NULL WHERE state = 'leased'")
        .run();
      return Number(freed.changes);
    },
    listJobs: (): Job[] => db.prepare<Job>(`SELECT ${COLUMNS} FROM jobs ORDER BY ${URGENCY}, id`).all(),
    /** Makes dead and postponed jobs due. @returns how many. */
    retryJobs(id: number | 'all', kind?: string): number {
      const changed = db.prepare(`
        UPDATE jobs SET state = 'waiting', attempts = 0, not_before = 0
        WHERE state <> 'leased' AND (? = 'all' OR id = ?) AND (? IS NULL OR kind = ?)`);
      return Number(changed.run(id, id, kind ?? null, kind ?? null).changes);
    },
    dropJobs(id: number | 'dead'): number {
      const dropped = db.prepare("DELETE FROM jobs WHERE (? = 'dead' AND state = 'dead') OR id = ?");
      return Number(dropped.run(id, id).changes);
    },
    findNextJobTime(kinds: string[]): number | null {
      const row = db
        .prepare<{ at: number | null }>(
          `SELECT min(not_before) AS at FROM jobs WHERE state = 'waiting' AND kind IN (${marks(kinds)})`,
        )
        .get(...kinds);
      return row?.at ?? null;
    },
  };
}

/** Longer than any pause between retries: a later time means that the clock was set back since. */
const LONGEST_PAUSE_MS = 15 * 60_000;

/** Only jobs of closed turns: a reopened turn waits for its end. */
function claim(db: Database, kinds: string[], now: number, leaseMs: number): Job | null {
  const job = db
    .prepare<Job>(`
      SELECT ${COLUMNS} FROM jobs
      WHERE kind IN (${marks(kinds)}) AND (not_before <= ? OR (kind = 'distil' AND not_before > ?))
        AND (state = 'waiting' OR (state = 'leased' AND leased_until <= ?))
        AND EXISTS (SELECT 1 FROM turns WHERE turns.id = turn_id AND closed_at IS NOT NULL)
      ORDER BY ${URGENCY}, id LIMIT 1`)
    .get(...kinds, now, now + LONGEST_PAUSE_MS, now);
  if (!job) return null;
  db.prepare("UPDATE jobs SET state = 'leased', attempts = attempts + 1, leased_until = ? WHERE id = ?").run(
    now + leaseMs,
    job.id,
  );
  return { ...job, state: 'leased', attempts: job.attempts + 1 };
}

/** A job that was queued again meanwhile stays. */
export function finishJob(db: Database, job: Job): void {
  db.prepare('DELETE FROM jobs WHERE id = ? AND generation = ?').run(job.id, job.generation);
}

export function addJob(db: Database, kind: string, turnId: number, priority: Priority, now: number): void {
  db.prepare(`
    INSERT INTO jobs (kind, turn_id, priority, created_at) VALUES (?, ?, ?, ?)
    ON CONFLICT (kind, turn_id) DO UPDATE SET generation = generation + 1, state = 'waiting', attempts = 0,
      not_before = 0, error = NULL`).run(kind, turnId, priority, now);
}

function marks(values: unknown[]): string {
  return values.map(() => '?').join(', ');
}
