import { STATUS_CODES } from 'node:http';

/** An error response, sent as `application/problem+json`. */
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
  /** The number of the request, which is also in the log for errors of the server. */
  request: string;
}

export function describeProblem({ status, message }: Problem, request: string): ProblemBody {
  return { type: 'about:blank', title: STATUS_CODES[status] ?? 'Error', status, detail: message, request };
}
