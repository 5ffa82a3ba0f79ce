import type { IncomingHttpHeaders } from 'node:http';
import { checkKey, isToken, type readAccess } from './access.ts';
import { ownOrigin } from './own-address.ts';
import { Problem } from './problem.ts';
import type { Route } from './route.ts';

const LOG_IN = 'Run: cairn open';

interface Request {
  method: string;
  headers: IncomingHttpHeaders;
  port: number;
}

/**
 * Refuses requests that another page could make a browser send. Browsers add these headers themselves; programs that
 * send none of them still need a key.
 */
export function refuseForeignPages({ method, headers, port }: Request): void {
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin')
    throw new Problem(403, 'Requests from other pages are refused.');
  if (headers.origin !== undefined && headers.origin !== ownOrigin(port))
    throw new Problem(403, 'Requests from other origins are refused.');
  const type = headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  if (method !== 'GET' && type !== 'application/json')
    throw new Problem(415, 'Send the header content-type: application/json.');
}

/** @returns the id of the key, which limits count by. */
export function checkAccess(
  route: Pick<Route, 'access'>,
  headers: IncomingHttpHeaders,
  access: ReturnType<typeof readAccess>,
  now: number,
): string {
  if (route.access === 'open') return '';
  const credential = /^Bearer ([\x21-\x7e]{1,300})$/.exec(headers.authorization ?? '')?.[1];
  if (credential === undefined) throw unauthorized(`A key is missing. ${LOG_IN}`);
  if (route.access === 'token') {
    if (!isToken(access, credential)) throw unauthorized('Only commands of this home may do this.');
    return '';
  }
  const key = checkKey(access, credential, now);
  if (key.ok) return key.id;
  throw unauthorized(key.isExpired ? `The key has expired. ${LOG_IN}` : `The key is not valid. ${LOG_IN}`);
}

function unauthorized(detail: string): Problem {
  return new Problem(401, detail, { 'www-authenticate': 'Bearer' });
}
