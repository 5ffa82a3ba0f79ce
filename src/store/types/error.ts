import type { ErrorText } from '../../model/error-text.ts';

/** A failed call whose errors are not indexed yet, or are to be indexed again. */
export interface FailedCall {
  /** What it said; null once the raw event is emptied. */
  response: string | null;
  /** What is stored of it already. */
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
