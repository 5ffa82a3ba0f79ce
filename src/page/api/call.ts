import type * as z from 'zod/mini';
import type { ProblemBody } from '../../api/problem.ts';
import type { ROUTES } from '../../api/routes/all.ts';
import { forgetKey, readKey } from './key.ts';
import { isReachable, setWorkerState, workerTrouble } from './worker-state.ts';

type Route = (typeof ROUTES)[keyof typeof ROUTES];
type Method = Route['method'];
type Path<M extends Method> = Extract<Route, { method: M; answer: z.ZodMiniType }>['path'];
type RouteAt<M extends Method, P extends string> = Extract<Route, { method: M; path: P }>;
type Output<S> = S extends z.ZodMiniType ? z.output<S> : never;

export type Answer<M extends Method, P extends string> =
  RouteAt<M, P> extends { answer: infer S } ? Output<S> : never;

type Params<R> = R extends { params: infer S } ? { params: Output<S> } : { params?: never };
type Query<R> = R extends { query: infer S } ? { query?: Partial<Output<S>> } : { query?: never };
type Body<R> = R extends { body: infer S extends z.ZodMiniType } ? { body: z.input<S> } : { body?: never };

/** A failed request. `request` is its number in the log. */
export class CallError extends Error {
  override name = 'CallError';
  readonly status: number;
  readonly title: string;
  readonly request: string;

  constructor({ status, title, detail, request }: Omit<ProblemBody, 'type'>) {
    super(detail);
    this.status = status;
    this.title = title;
    this.request = request;
  }
}

/**
 * Characters that reorder the text around them: a file `src/U+202Etxt.js` would be read as `src/sj.txt`. They are
 * replaced by a visible character. Text in right-to-left scripts does not need them.
 */
const REORDERING = /[\u202a-\u202e\u2066-\u2069]/g;

/** @throws CallError; AbortError */
export function get<P extends Path<'GET'>>(
  path: P,
  options: Params<RouteAt<'GET', P>> & Query<RouteAt<'GET', P>> & { signal?: AbortSignal },
): Promise<Answer<'GET', P>> {
  const { params, query, signal: stop } = options as Loose;
  return request(fill(path, params) + search(query), { method: 'GET', ...(stop && { signal: stop }) });
}

/** @throws CallError */
export function send<M extends 'POST' | 'PATCH', P extends Path<M>>(
  method: M,
  path: P,
  options: Params<RouteAt<M, P>> & Body<RouteAt<M, P>>,
): Promise<Answer<M, P>> {
  const { params, body } = options as Loose;
  return request(fill(path, params), {
    method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body ?? {}),
  });
}

interface Loose {
  params?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: unknown;
  signal?: AbortSignal;
}

function fill(path: string, params: Record<string, unknown> = {}): string {
  return path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(String(params[name])));
}

function search(query: Record<string, unknown> = {}): string {
  const parameters = Object.entries(query).flatMap(([name, value]) =>
    value === undefined || value === null || value === '' ? [] : [[name, String(value)]],
  );
  return parameters.length > 0 ? `?${new URLSearchParams(parameters)}` : '';
}

async function request<T>(url: string, init: RequestInit & { method: string }): Promise<T> {
  // The request would wait forever, or send the key to another program.
  if (!isReachable.value) throw noAnswer();
  const key = readKey();
  const headers = { ...init.headers, ...(key !== null && { authorization: `Bearer ${key}` }) };
  let response: Response;
  let text: string;
  try {
    response = await fetch(url, { ...init, headers });
    text = await response.text();
  } catch (error) {
    if (init.signal?.aborted) throw error;
    setWorkerState('stopped');
    throw noAnswer();
  }
  const answer = readAnswer(text);
  if (answer === null || (!response.ok && typeof (answer as ProblemBody).title !== 'string')) {
    setWorkerState('foreign');
    throw noAnswer();
  }
  setWorkerState('running');
  if (response.ok) return answer as T;
  const error = new CallError(answer as ProblemBody);
  if (error.status === 401 && key !== null) forgetKey(error.message);
  throw error;
}

/** @returns null if the text is not from the worker, which only sends objects. */
function readAnswer(text: string): object | null {
  try {
    const answer: unknown = JSON.parse(text.replace(REORDERING, '\ufffd'));
    return typeof answer === 'object' ? answer : null;
  } catch {
    return null;
  }
}

function noAnswer(): CallError {
  const { text, command } = workerTrouble.value ?? { text: 'Try again, or run', command: 'cairn open' };
  return new CallError({ status: 0, title: 'No answer', detail: `${text} ${command}`, request: '' });
}
