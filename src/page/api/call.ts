import { signal } from '@preact/signals';
import type * as z from 'zod/mini';
import type { ProblemBody } from '../../api/problem.ts';
import type { ROUTES } from '../../api/routes/all.ts';
import { forgetKey, readKey } from './key.ts';

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

/** Why a request failed; `request` is its number in the log. */
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
 * Characters that reorder the text around them: a file `src/U+202Etxt.js` would be read as `src/sj.txt`. They are shown
 * as one that can be seen. Text in right-to-left scripts does not need them.
 */
const REORDERING = /[\u202a-\u202e\u2066-\u2069]/g;

/** False while the worker does not answer. */
export const isReachable = signal(true);

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
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined || value === null || value === '' ? [] : [[name, String(value)]],
  );
  return given.length > 0 ? `?${new URLSearchParams(given)}` : '';
}

async function request<T>(url: string, init: RequestInit & { method: string }): Promise<T> {
  const key = readKey();
  const headers = { ...init.headers, ...(key !== null && { authorization: `Bearer ${key}` }) };
  let response: Response;
  try {
    response = await fetch(url, { ...init, headers });
  } catch (error) {
    if (init.signal?.aborted) throw error;
    isReachable.value = false;
    throw new CallError({
      ...{ status: 0, title: 'No answer', request: '' },
      detail: 'The worker is not responding. Start it: cairn open',
    });
  }
  isReachable.value = true;
  const answer: unknown = JSON.parse((await response.text()).replace(REORDERING, '\ufffd'));
  if (response.ok) return answer as T;
  const error = new CallError(answer as ProblemBody);
  if (error.status === 401 && key !== null) forgetKey(error.message);
  throw error;
}
