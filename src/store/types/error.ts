import type { ErrorText } from '../../model/error-text.ts';

/** A failed call whose errors have to be indexed, possibly again. */
export interface FailedCall {
  /** The output of the call; null once the raw event is emptied. */
  response: string | null;
  /** Errors of the call that are stored already. */
  errors: ErrorText[];
}

export interface IndexedError extends ErrorText {
  words: string;
}

export interface ErrorScope {
  /** By id or name, with merged ones; null for every project. */
  projects: (number | string)[] | null;
  since: number | null;
  before: number | null;
}

export interface StoredError extends ErrorText {
  id: number;
  words: string;
  at: number;
  sessionId: number;
  turnId: number | null;
  project: string | null;
}
