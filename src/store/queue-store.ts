import type { Priority } from '../model/agent-event.ts';
import type { Redacted } from '../model/redacted.ts';

/** Work that waits, in the database: written with what caused it, so that neither is there without the other. */
export interface QueueStore {
  /** The most urgent job that may run now, leased to the caller. */
  claimJob(kinds: string[], now: number, leaseMs: number): Job | null;
  /** Later again. Nothing happens if the job changed since it was claimed. */
  postponeJob(job: Job, error: Redacted, notBefore: number): void;
  /** Never again by itself; the reason stays to be seen. */
  buryJob(job: Job, error: Redacted, now: number): void;
  finishJob(job: Job): void;
  addJob(kind: string, turnId: number, priority: Priority, now: number): void;
  /** For whoever knows that nobody else is at work: what was leased waits again. */
  releaseLeases(): number;
  listJobs(): Job[];
  /** Dead and postponed jobs may run at once again. @returns how many. */
  retryJobs(id: number | 'all', kind?: string): number;
  dropJobs(id: number | 'dead'): number;
  /** When the next job becomes due, if any waits. */
  nextJobAt(kinds: string[]): number | null;
}

export interface Job {
  id: number;
  kind: string;
  turnId: number;
  generation: number;
  priority: Priority;
  state: 'waiting' | 'leased' | 'dead';
  attempts: number;
  notBefore: number;
  error: string | null;
  createdAt: number;
}
