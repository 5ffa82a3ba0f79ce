import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { UnusableSettingsError } from '../config/settings.ts';
import { describeMemoryError, isReadable } from '../memory/memory-error.ts';
import { LONGEST_QUERY } from '../model/value-problems.ts';
import { describeError } from '../platform/log.ts';
import { readAccess } from './access.ts';
import { checkAccess, refuseForeignPages } from './check-request.ts';
import { createHandlers } from './handlers/all.ts';
import { NO_STORE, SECURITY_HEADERS } from './headers.ts';
import { createMatcher } from './match-route.ts';
import type { ApiOptions, RequestCall } from './options.ts';
import { ADDRESS, ownOrigin } from './own-address.ts';
import { findPage } from './pages.ts';
import { describeProblem, Problem } from './problem.ts';
import { readInput } from './read-input.ts';
import { ROUTES } from './routes/all.ts';
import { createStreams } from './streams.ts';

/** A character of a search may take nine in an address. */
const LONGEST_URL = 2_000 + 9 * LONGEST_QUERY;

/** Answers requests. Loaded at the first one: most workers never get any. */
export function createApi(options: ApiOptions) {
  const { port, paths, log, now } = options;
  const handlers = createHandlers(options);
  const streams = createStreams(options);
  const findRoute = createMatcher(ROUTES);

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '', headers } = request;
    if (!url.startsWith('/') || url.length > LONGEST_URL)
      throw new Problem(414, `An address may have at most ${LONGEST_URL} characters.`);
    if (method === 'OPTIONS') throw new Problem(403, 'There is nothing here for other origins.');
    const { pathname, searchParams, search } = new URL(`http://${ADDRESS}${url}`);
    const page = method === 'GET' ? findPage(pathname, headers) : null;
    if (page && !headers.host?.startsWith(ADDRESS)) {
      // Browsers store the key per origin, so every page uses the same host name.
      response
        .writeHead(308, { ...SECURITY_HEADERS, location: `${ownOrigin(port)}${pathname}${search}` })
        .end();
      return;
    }
    if (page) {
      response.writeHead(page.status, { ...SECURITY_HEADERS, ...page.headers }).end(page.body);
      return;
    }
    const match = findRoute(method, pathname);
    if (match.found === 'nothing') throw new Problem(404, `There is no ${pathname.slice(0, 200)}.`);
    if (match.found === 'path')
      throw new Problem(405, `Use ${match.allowed.join(' or ')}.`, { allow: match.allowed.join(', ') });
    const route = ROUTES[match.name];
    if (pathname.startsWith('/api/')) refuseForeignPages({ method, headers, port });
    const keyId = checkAccess(route, headers, readAccess(paths), now());
    const input = await readInput(route, request, { params: match.params, search: searchParams });
    if (match.name === 'streamChanges') {
      streams.add(response, { keyId, lastEventId: String(headers['last-event-id'] ?? '') });
      return;
    }
    // The route's schemas have already checked the handler's input.
    const handler = handlers[match.name] as (input: unknown, call: RequestCall) => unknown;
    const { socket } = request;
    const isGone = () => socket.readableEnded || socket.destroyed;
    const body = JSON.stringify(await handler(input, { ...options.openCall(), isGone }));
    send(response, 'status' in route ? route.status : 200, 'application/json; charset=utf-8', body);
  }

  return {
    streams,
    /** Never throws. */
    async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
      try {
        await answer(request, response);
      } catch (error) {
        const id = randomBytes(6).toString('hex');
        const problem = toProblem(error);
        if (problem.status >= 500)
          log.error('request failed', { request: id, method: request.method, cause: describeError(error) });
        if (response.headersSent) response.destroy();
        else
          send(
            response,
            problem.status,
            'application/problem+json; charset=utf-8',
            JSON.stringify(describeProblem(problem, id)),
            problem.headers,
          );
      }
    },
  };
}

function send(
  response: ServerResponse,
  status: number,
  type: string,
  body: string,
  headers: Record<string, string> = {},
): void {
  response
    .writeHead(status, {
      ...SECURITY_HEADERS,
      ...NO_STORE,
      ...headers,
      'content-type': type,
      'content-length': Buffer.byteLength(body),
    })
    .end(body);
}

/** Messages of unexpected errors may contain file names, so they are only logged. */
function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof UnusableSettingsError) return new Problem(409, error.message);
  if (isReadable(error)) return new Problem(503, `Try again: ${describeMemoryError(error)}`);
  return new Problem(500, 'Something went wrong. Details: cairn worker logs');
}
