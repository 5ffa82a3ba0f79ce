import type { CurationOptions } from '../curation/options.ts';

/** What a handler works with: the options of a change by a command or a tool, and access to the worker. */
export interface ApiCall extends CurationOptions {
  /** Makes the worker look for jobs at once. */
  wakeWorker(): void;
}

/** A request that is being answered. */
export interface RequestCall extends ApiCall {
  /** Whether the client has hung up and will not read the answer. */
  isGone(): boolean;
}

export interface ApiOptions extends Omit<ApiCall, 'store' | 'settings'> {
  port: number;
  /** Called when a stream ends. */
  onStreamEnd(): void;
  /** Called for each request, because the database may have been rebuilt meanwhile. */
  openCall(): ApiCall;
}
