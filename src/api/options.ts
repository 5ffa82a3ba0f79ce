import type { CurationOptions } from '../curation/options.ts';

/** What a handler works with: the same as a change by a command or a tool, and the worker that does the jobs. */
export interface ApiCall extends CurationOptions {
  /** Lets the worker look for jobs at once. */
  wakeWorker(): void;
}

/** A request that is being answered. */
export interface RequestCall extends ApiCall {
  /** Whether the client has hung up: no one reads the answer any more. */
  isGone(): boolean;
}

export interface ApiOptions extends Omit<ApiCall, 'store' | 'settings'> {
  port: number;
  /** When a stream has ended. */
  onStreamEnd(): void;
  /** Opened again for each request: the database may have been rebuilt meanwhile. */
  openCall(): ApiCall;
}
