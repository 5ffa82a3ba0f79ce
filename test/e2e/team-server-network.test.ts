import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseServerUrl, type TeamCredentials } from '../../src/team/server/address.ts';
import { revokeMember } from '../../src/team/server/admin.ts';
import { connect } from '../../src/team/server/connect.ts';
import { openFeed } from '../../src/team/server/feed.ts';
import { invite } from '../../src/team/server/invite.ts';
import { join, rotate } from '../../src/team/server/join.ts';
import { readLink } from '../../src/team/server/link.ts';
import { makeCertificates, type Postgres, startPooler, startPostgres } from '../support/postgres.ts';
import { makeChange, makeTeam, pushAll, type TestTeam } from '../support/team.ts';

/** Linux connects it to loopback, but it is not a loopback address: it counts as a host on the network. */
const REMOTE = '0.0.0.0';

let postgres: Postgres;
let team: TestTeam;
let certificates: ReturnType<typeof makeCertificates>;
beforeAll(async () => {
  certificates = makeCertificates(REMOTE);
  postgres = await startPostgres({ tls: certificates });
  team = await makeTeam(postgres);
});
afterAll(() => postgres?.stop());

async function ask(credentials: TeamCredentials) {
  const feed = openFeed(credentials);
  try {
    return await feed.listHeads();
  } finally {
    await feed.close();
  }
}

describe('TLS', () => {
  const remote = (ca: string | null): TeamCredentials => ({ ...team.ada, host: REMOTE, ca });
  const isEncrypted = async (credentials: TeamCredentials) => {
    const client = await connect(credentials);
    try {
      const { rows } = await client.query('SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()');
      return rows[0]?.ssl;
    } finally {
      await client.end();
    }
  };

  test('is used with the right certificate authority', async () => {
    expect(await isEncrypted(remote(certificates.ca))).toBe(true);
    await ask(remote(certificates.ca));
  });

  test('is optional on loopback, and used there if an authority is given', async () => {
    expect(await isEncrypted(team.ada)).toBe(false);
    const wrongHost = { ...team.ada, ca: certificates.ca };
    await expect(ask(wrongHost)).rejects.toMatchObject({ reason: 'tls' });
  });

  test('rejects an unknown authority and a wrong one', async () => {
    await expect(ask(remote(null))).rejects.toMatchObject({ reason: 'tls' });
    await expect(ask(remote(makeCertificates(REMOTE).ca))).rejects.toMatchObject({ reason: 'tls' });
  });

  test('rejects a certificate for another host', async () => {
    const elsewhere = makeCertificates('db.example.com');
    const server = await startPostgres({ tls: elsewhere });
    try {
      const credentials = { ...team.ada, host: REMOTE, port: server.port, ca: elsewhere.ca };
      await expect(connect(credentials)).rejects.toMatchObject({
        reason: 'tls',
        message: expect.stringMatching(/altnames|does not match/i),
      });
    } finally {
      await server.stop();
    }
  });

  test('is required whatever the URL says', async () => {
    const plain = await startPostgres();
    try {
      for (const mode of ['disable', 'allow', 'prefer', 'no-verify', 'require']) {
        const url = plain.adminUrl('postgres').replace('127.0.0.1', REMOTE);
        const address = parseServerUrl(`${url}?sslmode=${mode}&ssl=false`);
        await expect(connect(address)).rejects.toMatchObject({ reason: 'tls' });
        const unverified = parseServerUrl(
          `${url.replace(`:${plain.port}/`, `:${postgres.port}/`)}?sslmode=${mode}`,
        );
        await expect(connect(unverified)).rejects.toMatchObject({ reason: 'tls' });
      }
    } finally {
      await plain.stop();
    }
  });

  test('uses the authority in the link', async () => {
    const reach = { host: REMOTE, port: postgres.port, ca: certificates.ca, userSuffix: '' };
    const link = await invite(team.access, {
      name: 'Bo',
      isReadOnly: false,
      projects: null,
      key: null,
      reach,
    });
    expect(readLink(link)).toMatchObject({ host: REMOTE, ca: certificates.ca });
    const joined = await join(link, { machine: 'x', save: () => {} });
    expect(await isEncrypted(joined)).toBe(true);
  });
});

describe('behind PgBouncer in transaction mode', () => {
  let pooler: Awaited<ReturnType<typeof startPooler>>;
  beforeAll(async () => {
    pooler = await startPooler(postgres);
  });
  afterAll(() => pooler?.stop());

  const through = (credentials: TeamCredentials): TeamCredentials => ({ ...credentials, port: pooler.port });

  test('join, sync and rotate work', async () => {
    const reach = { host: '127.0.0.1', port: pooler.port, ca: null, userSuffix: '' };
    const link = await invite(team.access, {
      name: 'Pooled',
      isReadOnly: false,
      projects: null,
      key: null,
      reach,
    });
    const joined = await join(link, { machine: 'x', save: () => {} });
    expect(joined.port).toBe(pooler.port);
    const rotated = await rotate(joined, () => {});
    await expect(ask(joined)).rejects.toMatchObject({ reason: 'access' });
    const feeds = [1, 2, 3, 4, 5, 6].map(() => openFeed(rotated));
    try {
      const { id } = (await feeds[0]?.openProject('pooled', Buffer.from('p'))) ?? { id: 0 };
      await Promise.all(
        feeds.map(async (feed) => {
          const origin = randomUUID();
          for (let n = 1; n <= 10; n++) await pushAll(feed, id, origin, [makeChange(n)]);
        }),
      );
      const pulled = await feeds[0]?.pull(id, { seq: '0', chain: null }, 2000);
      expect(pulled?.outcome === 'changes' && pulled.changes.length).toBe(60);
    } finally {
      await Promise.all(feeds.map((feed) => feed.close()));
    }
  });

  test('a revoke ends open connections and refuses new ones, as lost access', async () => {
    const machine = through(await team.join('Leaving'));
    const feed = openFeed(machine);
    try {
      await feed.listHeads();
      const held = await connect(machine);
      await held.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
      await held.query('SELECT * FROM cairn.heads()');
      await revokeMember(team.access, 'Leaving');
      await expect(held.query('SELECT * FROM cairn.heads()')).rejects.toThrow();
      await held.end().catch(() => {});
      await expect(feed.listHeads()).rejects.toThrow();
      await expect(ask(machine)).rejects.toMatchObject({ reason: 'access' });
      await expect(ask(machine)).rejects.toMatchObject({ reason: 'access' });
    } finally {
      await feed.close();
    }
  });

  test('a dead server is a network error', async () => {
    const machine = through(await team.join('Waiting'));
    await ask(machine);
    await postgres.kill();
    await expect(ask(machine)).rejects.toMatchObject({ reason: 'network' });
    await postgres.start();
    await expect.poll(() => ask(machine).then(() => 'answers', String), { timeout: 60_000 }).toBe('answers');
  });
});

describe('a server that does not answer', () => {
  test('is a network error if it refuses, is unknown or silent, and another error if it is broken', async () => {
    const silent = createServer(() => {}).listen(0, '127.0.0.1');
    const broken = createServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')).listen(
      0,
      '127.0.0.1',
    );
    await Promise.all([once(silent, 'listening'), once(broken, 'listening')]);
    const portOf = (server: typeof silent) => {
      const address = server.address();
      return typeof address === 'object' && address ? address.port : 0;
    };
    try {
      const faults = [
        { ...team.ada, port: 1 },
        { ...team.ada, host: 'no-such-host.invalid', ca: certificates.ca },
        { ...team.ada, port: portOf(silent) },
      ];
      for (const address of faults)
        await expect(connect(address)).rejects.toMatchObject({ reason: 'network' });
      await expect(connect({ ...team.ada, port: portOf(broken) })).rejects.toThrow();
    } finally {
      silent.close();
      broken.close();
    }
  });

  test('during a call does not end the process, and the next call connects again', async () => {
    const feed = openFeed(team.ada);
    try {
      await feed.listHeads();
      await postgres.ask(
        'postgres',
        'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = $1',
        [team.ada.user],
      );
      await expect(feed.listHeads()).rejects.toMatchObject({ reason: 'network' });
      await feed.listHeads();
    } finally {
      await feed.close();
    }
  });

  test('within the lock timeout is busy', async () => {
    const feed = openFeed(team.ada);
    const holder = await connect({ ...parseServerUrl(postgres.superUrl(team.database)) });
    try {
      const { id } = await feed.openProject('locked', Buffer.from('l'));
      await holder.query('BEGIN');
      await holder.query('SELECT FROM cairn.project WHERE id = $1 FOR UPDATE', [id]);
      const request = { project: id, origin: randomUUID(), changes: [makeChange(1)] };
      await expect(feed.push(request)).rejects.toMatchObject({ reason: 'busy' });
      await holder.query('ROLLBACK');
      await pushAll(feed, id, request.origin, request.changes);
    } finally {
      await holder.end();
      await feed.close();
    }
  });
});

test('server URLs may contain sockets, escapes and IPv6 addresses', () => {
  expect(parseServerUrl('postgres://me:p%40ss%3Aword@db.example.com:6432/team?sslmode=disable')).toEqual({
    host: 'db.example.com',
    port: 6432,
    database: 'team',
    user: 'me',
    password: 'p@ss:word',
    ca: null,
  });
  expect(parseServerUrl('postgresql://role.project@[::1]/x')).toMatchObject({
    host: '::1',
    port: 5432,
    user: 'role.project',
  });
  expect(parseServerUrl('postgres://me@/team?host=/var/run/postgresql')).toMatchObject({
    host: '/var/run/postgresql',
    database: 'team',
  });
  expect(parseServerUrl('postgres://me@%2Frun%2Fpg/team')).toMatchObject({ host: '/run/pg' });
  for (const bad of [
    '',
    'host=x',
    'http://x/y',
    'postgres://me@host:port/x',
    'postgres://%zz@h/x',
    'postgres://h/x',
  ])
    expect(() => parseServerUrl(bad)).toThrow();
});
