import { STATUS_CODES } from 'node:http';

/** An answer that says what is wrong; sent as `application/problem+json`. */
export class Problem extends Error {
  override name = 'Problem';
  readonly status: number;
  readonly headers: Record<string, string>;

  constructor(status: number, detail: string, headers: Record<string, string> = {}) {
    super(detail);
    this.status = status;
    this.headers = headers;
  }
}

export interface ProblemBody {
  type: 'about:blank';
  title: string;
  status: number;
  detail: string;
  /** Also in the log, for errors that are not the caller's. */
  request: string;
}

export function describeProblem({ status, message }: Problem, request: string): ProblemBody {
  return { type: 'about:blank', title: STATUS_CODES[status] ?? 'Error', status, detail: message, request };
}
