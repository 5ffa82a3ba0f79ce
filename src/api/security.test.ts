import { createHmac } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ApiWorker, startApiWorker } from '../../test/support/api-worker.ts';
import { ORCHARD } from '../../test/support/captured.ts';
import { rememberTurn } from '../../test/support/memories.ts';
import { runCairn } from '../../test/support/run-cairn.ts';
import { until } from '../../test/support/until.ts';
import { packageRoot } from '../platform/installation.ts';
import { readLogLines } from '../platform/read-log.ts';
import { createKey, readAccess, revokeKeys } from './access.ts';
import { parameterNames } from './match-route.ts';
import type { Route } from './route.ts';
import { ROUTES } from './routes/all.ts';

/** Found by pattern, because the name changes with the content. */
const SCRIPT = `/assets/${readdirSync(join(packageRoot(), 'dist/page/assets')).find((name) => /^page-\w+\.js$/.test(name))}`;

const HOSTILE = '<img src=x onerror=alert(1)><script>alert(2)</script>[x](javascript:alert(3))';

let worker: ApiWorker;
let own: Record<string, string>;

beforeAll(async () => {
  worker = await startApiWorker({
    fill: (store) =>
      rememberTurn(store, {
        ...{ place: { ...ORCHARD, name: HOSTILE }, at: Date.now() - 60_000 },
        observations: [{ title: HOSTILE, narrative: HOSTILE, facts: [HOSTILE], filesModified: [HOSTILE] }],
        summary: { request: HOSTILE, completed: HOSTILE },
      }),
  });
  own = { authorization: `Bearer ${worker.key}` };
});

afterAll(() => worker.stop());

const DATA = '/api/memories';
const JSON_TYPE = { 'content-type': 'application/json' };

function cairn(...args: string[]) {
  const env = { CAIRN_HOME: worker.paths.home };
  return runCairn({ home: dirname(worker.paths.home), cwd: '/', env }, ...args);
}

/** A key signed with this secret. */
function keyWith(secret: string, expiresAt: number): string {
  const signed = `cairn1.${'A'.repeat(12)}.${expiresAt}`;
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
}

describe('without a valid key no data is served', () => {
  const inAYear = Date.now() + 365 * 86_400_000;
  test.each<{ name: string; path?: string; headers?: () => Record<string, string> }>([
    { name: 'no key' },
    { name: 'a wrong key', headers: () => ({ authorization: `Bearer ${keyWith('guess', inAYear)}` }) },
    {
      name: 'an expired key',
      headers: () => ({
        authorization: `Bearer ${keyWith(readAccess(worker.paths).secret, Date.now() - 1)}`,
      }),
    },
    {
      name: 'a key with a changed expiry time',
      headers: () => ({ authorization: `Bearer ${worker.key.replace(/\.\d+\./, `.${inAYear}.`)}` }),
    },
    {
      name: "the home's token",
      headers: () => ({ authorization: `Bearer ${readAccess(worker.paths).token}` }),
    },
    { name: 'a key without Bearer', headers: () => ({ authorization: worker.key }) },
    { name: 'a key in the query', path: '?key=KEY' },
    { name: 'a key in a cookie', headers: () => ({ cookie: `key=${worker.key}` }) },
    { name: 'a key in another header', headers: () => ({ 'x-api-key': worker.key }) },
    { name: 'two keys', headers: () => ({ authorization: `Bearer x, Bearer ${worker.key}` }) },
  ])('$name', async ({ path = '', headers = () => ({}) }) => {
    const answer = await worker.raw({ path: DATA + path.replace('KEY', worker.key), headers: headers() });
    expect(answer.status).toBe(401);
    expect(answer.headers['www-authenticate']).toBe('Bearer');
    expect(answer.text).not.toContain('alert');
  });

  test('every route requires a key, except those without data', async () => {
    for (const route of Object.values<Route>(ROUTES)) {
      if (route.access === 'open') continue;
      const path = route.path.replace(/\{\w+\}/g, '1');
      const body = route.method === 'GET' ? {} : { body: '{}' };
      const { status } = await worker.raw({ method: route.method, path, headers: JSON_TYPE, ...body });
      expect([route.path, status]).toEqual([route.path, 401]);
    }
  });

  test('a revoked key stops working at once, and a new key works', async () => {
    const before = readAccess(worker.paths);
    expect((await worker.raw({ path: DATA, headers: own })).status).toBe(200);
    revokeKeys(worker.paths);
    expect((await worker.raw({ path: DATA, headers: own })).status).toBe(401);
    worker.key = createKey(readAccess(worker.paths), Date.now()).key;
    own = { authorization: `Bearer ${worker.key}` };
    expect((await worker.raw({ path: DATA, headers: own })).status).toBe(200);
    expect(readAccess(worker.paths).token).toBe(before.token);
  });
});

test('the link of cairn open works once, and a second use is logged', async () => {
  const { link, code } = JSON.parse(cairn('open', '--json').stdout);
  expect(link).toBe(`${worker.origin}/open#${code}`);
  const exchange = () =>
    worker.raw({ method: 'POST', path: '/api/keys', headers: JSON_TYPE, body: JSON.stringify({ code }) });
  const first = await exchange();
  expect(first.status).toBe(201);
  const { key } = JSON.parse(first.text);
  expect((await worker.raw({ path: DATA, headers: { authorization: `Bearer ${key}` } })).status).toBe(200);
  const second = await exchange();
  expect([second.status, JSON.parse(second.text).detail]).toEqual([
    403,
    'This link was already used. Get a new one: cairn open',
  ]);
  expect(readLogLines(worker.paths.logs)).toContainEqual(
    expect.objectContaining({ message: 'link refused', reason: 'used' }),
  );
  expect(cairn('open', '--revoke').exitCode).toBe(0);
  expect((await worker.raw({ path: DATA, headers: { authorization: `Bearer ${key}` } })).status).toBe(401);
  worker.key = createKey(readAccess(worker.paths), Date.now()).key;
  own = { authorization: `Bearer ${worker.key}` };
});

test('a link can point to a page, a memory or a session', () => {
  const pathOf = (place: string) =>
    JSON.parse(cairn('open', place, '--json').stdout).link.replace(/^.*#[\w-]+/, '');
  expect(['feed', 'injections', '12', '#12', 's5'].map(pathOf)).toEqual([
    '',
    '/injections',
    '/m/12',
    '/m/12',
    '/s/5',
  ]);
  expect(cairn('open', 'injection').stderr).toContain('Did you mean injections?');
});

test('token and secret are in a file that only its owner can read, and in no response', async () => {
  const file = join(worker.paths.state, 'api-access.json');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const { token, secret } = readAccess(worker.paths);
  for (const path of ['/', '/open', SCRIPT, '/openapi.json', '/api/health', '/api/settings', '/api/logs']) {
    const { status, text } = await worker.raw({ path, headers: own });
    expect([path, status]).toEqual([path, 200]);
    expect(text.includes(token) || text.includes(secret)).toBe(false);
  }
});

describe('the Host header is checked first on every route', () => {
  test.each([
    'evil.example',
    'evil.example:PORT',
    '127.0.0.1',
    ':PORT',
    '',
    '127.0.0.1:PORT.evil.example',
    '[::1]:PORT',
    '0.0.0.0:PORT',
    'localhost.:PORT',
    '127.0.0.1:1',
  ])('%s is refused', async (name) => {
    const host = name.replace('PORT', String(worker.port));
    for (const path of ['/health', '/', SCRIPT, DATA, '/nothing'])
      expect([path, (await worker.raw({ path, headers: { ...own, host } })).status]).toEqual([path, 403]);
  });

  test('localhost is accepted, and its pages redirect to 127.0.0.1', async () => {
    const host = `localhost:${worker.port}`;
    expect((await worker.raw({ path: DATA, headers: { ...own, host } })).status).toBe(200);
    const page = await worker.raw({ path: '/open', headers: { host } });
    expect([page.status, page.headers.location]).toEqual([308, `${worker.origin}/open`]);
  });
});

describe('pages of other origins are refused, even with a key', () => {
  test.each<{ name: string; headers: Record<string, string> }>([
    { name: 'a foreign origin', headers: { origin: 'https://evil.example' } },
    { name: 'another port of this machine', headers: { origin: 'http://127.0.0.1:5555' } },
    { name: 'localhost instead of 127.0.0.1', headers: { origin: 'http://localhost:PORT' } },
    { name: 'an opaque origin', headers: { origin: 'null' } },
    { name: 'the same site with another origin', headers: { 'sec-fetch-site': 'same-site' } },
    { name: 'another site', headers: { 'sec-fetch-site': 'cross-site' } },
    { name: 'an address bar', headers: { 'sec-fetch-site': 'none' } },
  ])('$name', async ({ headers }) => {
    const sent = JSON.parse(JSON.stringify(headers).replace('PORT', String(worker.port)));
    const { status, headers: answered } = await worker.raw({ path: DATA, headers: { ...own, ...sent } });
    expect(status).toBe(403);
    expect(Object.keys(answered).filter((name) => name.startsWith('access-control'))).toEqual([]);
  });

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', ''])(
    'a form cannot write with content-type %s',
    async (type) => {
      const headers = { ...own, ...(type && { 'content-type': type }) };
      const answer = await worker.raw({
        method: 'PATCH',
        path: '/api/memories/1',
        headers,
        body: '{"pinned":true}',
      });
      expect(answer.status).toBe(415);
    },
  );

  test('a preflight is refused', async () => {
    const headers = { origin: 'https://evil.example', 'access-control-request-method': 'GET' };
    for (const path of [DATA, '/', '/health'])
      expect((await worker.raw({ method: 'OPTIONS', path, headers })).status).toBe(403);
  });
});

test('every response has the security headers', async () => {
  for (const path of ['/', '/open', SCRIPT, '/health', '/api/nothing', DATA]) {
    const { headers } = await worker.raw({ path, headers: own });
    expect([path, headers]).toEqual([
      path,
      expect.objectContaining({
        'content-security-policy': expect.stringContaining("require-trusted-types-for 'script'"),
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
        'cache-control': cachingOf(path),
      }),
    ]);
    expect(headers['set-cookie']).toBeUndefined();
  }
});

function cachingOf(path: string): string {
  if (path === SCRIPT) return 'public, max-age=31536000, immutable';
  return path.startsWith('/api') || path === '/health' ? 'no-store' : 'no-cache';
}

test('stored HTML is only ever sent as JSON', async () => {
  for (const path of [
    DATA,
    '/api/memories/1',
    '/api/sessions',
    '/api/projects',
    '/api/search?q=alert',
    '/api/timeline',
  ]) {
    const { status, headers, text } = await worker.raw({ path, headers: own });
    expect([status, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
    expect(JSON.stringify(JSON.parse(text))).toContain('onerror');
  }
  const page = await worker.raw({ path: '/', headers: own });
  expect(page.text).not.toContain('onerror');
});

describe('no parameter is used as a file path', () => {
  const TRICKS = [
    '../../../../etc/passwd',
    '..%2f..%2fetc%2fpasswd',
    '%2e%2e/%2e%2e/etc/passwd',
    '/etc/passwd',
    '%00',
    '1%00',
  ];
  test.each(TRICKS)('%s', async (trick) => {
    const sent = Object.values<Route>(ROUTES)
      .filter(({ method, answer }) => method === 'GET' && answer)
      .flatMap((route) => {
        const escaped = encodeURIComponent(trick);
        const inPath = parameterNames(route).flatMap((name) => [
          route.path.replace(`{${name}}`, trick),
          route.path.replace(`{${name}}`, escaped),
        ]);
        const path = route.path.replace(/\{\w+\}/g, '1');
        const fields = Object.keys(route.query?.shape ?? {});
        return [...inPath, ...fields.map((name) => `${path}?${name}=${escaped}`)];
      });
    for (const path of [...sent, `/${trick}`, `/assets/${trick}`, `/assets/../${trick}`]) {
      const { status, text } = await worker.raw({ path, headers: own });
      expect([path, status < 500, text.includes('root:')]).toEqual([path, true, false]);
    }
  });
});

describe('limits', () => {
  const send = (body: string, headers: Record<string, string> = {}) =>
    worker.raw({
      method: 'PATCH',
      path: '/api/memories/1',
      headers: { ...own, ...JSON_TYPE, ...headers },
      body,
    });

  test('refuses a large body with and without a content length', async () => {
    const large = JSON.stringify({ narrative: 'x'.repeat(70_000) });
    expect((await send(large)).status).toBe(413);
    const chunked = await send(large, { 'transfer-encoding': 'chunked' }).catch(() => ({ status: 413 }));
    expect(chunked.status).toBe(413);
  });

  test.each(['', '{', '[]', 'null', '"text"', '{"__proto__":{"pinned":true}}', '{"pinned":"yes"}', '\u0000'])(
    'refuses the body %j',
    async (body) => {
      expect((await send(body)).status).toBe(400);
    },
  );

  test.each([
    { path: `/api/search?q=${'x'.repeat(10_001)}`, expected: 400 },
    // The longest search: three bytes for each character, three letters for each byte.
    { path: `/api/search?q=${'%E2%82%AC'.repeat(10_000)}`, expected: 200 },
    { path: '/api/memories?limit=201', expected: 400 },
    { path: '/api/memories?limit=0', expected: 400 },
    { path: '/api/memories?limit=1e9', expected: 400 },
    { path: '/api/memories?cursor=1;2', expected: 400 },
    { path: '/api/memories/9999999999999999999', expected: 400 },
    { path: '/api/memories/-1', expected: 400 },
    { path: `/api/memories?agent=${'x'.repeat(92_000)}`, expected: 414 },
    { path: '/api/memories?__proto__=1', expected: 400 },
  ])('$path', async ({ path, expected }) => {
    expect((await worker.raw({ path, headers: own })).status).toBe(expected);
  });

  test('refuses other methods and lists the allowed ones', async () => {
    for (const method of ['PUT', 'DELETE', 'HEAD', 'TRACE']) {
      const { status } = await worker.raw({
        method,
        path: '/api/memories/1',
        headers: { ...own, ...JSON_TYPE },
      });
      expect([method, status]).toEqual([method, 405]);
    }
    const { headers } = await worker.raw({
      method: 'POST',
      path: '/api/memories/1',
      headers: { ...own, ...JSON_TYPE },
    });
    expect(headers.allow).toBe('GET, PATCH');
  });

  test('a thousand slow connections do not block others for long', async () => {
    const sockets: Socket[] = [];
    try {
      for (let count = 0; count < 1_000; count++) {
        const socket = connect(worker.port, '127.0.0.1');
        socket.on('error', () => {});
        socket.on('connect', () => socket.write('GET /health HTTP/1.1\r\nHost:'));
        sockets.push(socket);
      }
      await until('an answer', async () => {
        const answer = await worker.raw({ path: '/health' }).catch(() => null);
        return answer?.status === 200 ? true : undefined;
      });
    } finally {
      for (const socket of sockets) socket.destroy();
    }
    expect(worker.child.exitCode).toBeNull();
  });
});
