import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { identifyProcess, processState } from '../../src/platform/process-identity.ts';
import { until } from './until.ts';

/** A temporary PostgreSQL server on loopback. */
export interface Postgres {
  port: number;
  dataFolder: string;
  /** For an administrator without superuser rights (CREATEROLE CREATEDB), as on a managed service. */
  adminUrl(database: string): string;
  superUrl(database: string): string;
  /** Runs a query as superuser. */
  ask<Row extends object>(database: string, sql: string, values?: unknown[]): Promise<Row[]>;
  log(): string;
  /** Kills all of its processes at once, as a power cut would. */
  kill(): Promise<void>;
  /** Kills the process of one client's connection; the server then ends all others and recovers. */
  killConnection(): Promise<void>;
  /** Copies all its files. @returns a function that restores them. */
  copyFiles(): Promise<() => Promise<void>>;
  start(): Promise<void>;
  stop(): Promise<void>;
}

export interface ServerCertificate {
  certificate: string;
  key: string;
}

/** PostgreSQL refuses to run as root. */
const IS_ROOT = process.getuid?.() === 0;
const PASSWORD = 'for-tests-only';

/** Without fsync, unless a test is about crashes. */
export async function startPostgres(
  options: { tls?: ServerCertificate; settings?: Record<string, string>; folder?: string } = {},
): Promise<Postgres> {
  const folder = options.folder ?? makeFolder();
  own(folder);
  const dataFolder = join(folder, 'data');
  const port = await freePort();
  const logFile = join(folder, 'log');
  runAs(program('initdb'), [
    '-D',
    dataFolder,
    '-U',
    'postgres',
    '-A',
    'trust',
    '--no-sync',
    '-E',
    'UTF8',
    '--locale=C',
  ]);
  const settings: Record<string, string> = {
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: folder,
    fsync: 'off',
    shared_buffers: '64MB',
    max_connections: '60',
    log_statement: 'all',
    log_parameter_max_length: '0',
    log_parameter_max_length_on_error: '0',
    ...(options.tls ? writeTls(dataFolder, options.tls) : {}),
    ...options.settings,
  };
  const lines = Object.entries(settings).map(([name, value]) => `${name} = '${value}'`);
  writeFileSync(join(dataFolder, 'postgresql.auto.conf'), `${lines.join('\n')}\n`);
  writeFileSync(
    join(dataFolder, 'pg_hba.conf'),
    'local all postgres trust\nhost all postgres 127.0.0.1/32 trust\nhost all all 127.0.0.1/32 scram-sha-256\n',
  );
  own(join(dataFolder, 'postgresql.auto.conf'));
  own(join(dataFolder, 'pg_hba.conf'));

  let server: ChildProcess | null = null;
  const superUrl = (database: string) => `postgres://postgres@127.0.0.1:${port}/${database}`;
  const postgres: Postgres = {
    port,
    dataFolder,
    adminUrl: (database) => `postgres://team_admin:${PASSWORD}@127.0.0.1:${port}/${database}`,
    superUrl,
    ask: <Row extends object>(database: string, sql: string, values: unknown[] = []) =>
      askOnce<Row>(superUrl(database), sql, values),
    log: () => readFileSync(logFile, 'utf8'),
    async kill() {
      const running = server;
      server = null;
      if (running) await killWithChildren(running);
    },
    async killConnection() {
      const found = await postgres.ask<{ pid: number }>(
        'postgres',
        "SELECT pid FROM pg_stat_activity WHERE usename LIKE 'cairn\\_%' ORDER BY random() LIMIT 1",
      );
      try {
        for (const { pid } of found) process.kill(pid, 'SIGKILL');
      } catch {
        // It has already ended.
      }
      await postgres.start();
    },
    async copyFiles() {
      const copy = join(folder, 'copy');
      await postgres.kill();
      execFileSync('cp', ['-a', dataFolder, copy]);
      await postgres.start();
      return async () => {
        await postgres.kill();
        rmSync(dataFolder, { recursive: true });
        renameSync(copy, dataFolder);
        await postgres.start();
      };
    },
    async start() {
      await until('PostgreSQL answers', () => {
        // After a kill it refuses to start until the processes of the old server have ended.
        if (!server || hasEnded(server)) server = spawnAs(program('postgres'), ['-D', dataFolder], logFile);
        return askOnce(superUrl('postgres'), 'SELECT').catch(() => undefined);
      });
    },
    async stop() {
      const running = server;
      server = null;
      if (running) await end(running, 'SIGINT');
      rmSync(folder, { recursive: true, force: true });
    },
  };
  await postgres.start();
  await postgres.ask('postgres', `CREATE ROLE team_admin LOGIN CREATEROLE CREATEDB PASSWORD '${PASSWORD}'`);
  return postgres;
}

/** PgBouncer in transaction mode in front of a server. Members log in with the password hashes from that server. */
export async function startPooler(postgres: Postgres): Promise<{ port: number; stop(): Promise<void> }> {
  const folder = makeFolder();
  const port = await freePort();
  const config = join(folder, 'pgbouncer.ini');
  writeFileSync(
    config,
    `[databases]
* = host=127.0.0.1 port=${postgres.port} auth_user=postgres
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${join(folder, 'users')}
auth_query = SELECT rolname, rolpassword FROM pg_authid WHERE rolname = $1 AND rolcanlogin AND rolname LIKE 'cairn\\_%'
pool_mode = transaction
server_login_retry = 0
query_wait_timeout = 5
`,
  );
  writeFileSync(join(folder, 'users'), '"postgres" ""\n');
  for (const name of readdirSync(folder)) own(join(folder, name));
  const pooler = spawnAs('/usr/sbin/pgbouncer', [config], join(folder, 'log'));
  await until('PgBouncer answers', () => isListening(port));
  return {
    port,
    async stop() {
      await end(pooler, 'SIGINT');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A certificate authority, and a certificate for a host that it has signed. */
export function makeCertificates(host: string): { ca: string } & ServerCertificate {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-test-'));
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' });
  const read = (name: string) => readFileSync(join(folder, name), 'utf8');
  try {
    const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-batch'];
    openssl(
      'req',
      '-x509',
      ...newKey,
      '-keyout',
      'ca.key',
      '-out',
      'ca.pem',
      '-subj',
      '/CN=Test CA',
      '-days',
      '2',
    );
    openssl('req', ...newKey, '-keyout', 'server.key', '-out', 'server.csr', '-subj', '/CN=server');
    const kind = /^[\d.]+$/.test(host) ? 'IP' : 'DNS';
    writeFileSync(join(folder, 'extensions'), `subjectAltName=${kind}:${host}\n`);
    openssl(
      ...['x509', '-req', '-in', 'server.csr', '-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial'],
      ...['-out', 'server.pem', '-days', '2', '-extfile', 'extensions'],
    );
    return { ca: read('ca.pem'), certificate: read('server.pem'), key: read('server.key') };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs one statement on a new connection. */
export async function askOnce<Row extends object>(
  url: string,
  sql: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query<Row>(sql, values)).rows;
  } finally {
    await client.end();
  }
}

function writeTls(dataFolder: string, { certificate, key }: ServerCertificate): Record<string, string> {
  for (const [name, content] of Object.entries({ 'server.pem': certificate, 'server.key': key })) {
    writeFileSync(join(dataFolder, name), content);
    chmodSync(join(dataFolder, name), 0o600);
    own(join(dataFolder, name));
  }
  return { ssl: 'on', ssl_cert_file: 'server.pem', ssl_key_file: 'server.key' };
}

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-test-'));
  own(folder);
  return folder;
}

function own(path: string): void {
  if (IS_ROOT) chownSync(path, ...userIds());
}

let ids: [uid: number, gid: number] | null = null;
function userIds(): [uid: number, gid: number] {
  ids ??= ['-u', '-g'].map((what) =>
    Number(execFileSync('id', [what, 'postgres'], { encoding: 'utf8' })),
  ) as [number, number];
  return ids;
}

/** Debian installs them outside of PATH, by version. */
function program(name: string): string {
  const root = '/usr/lib/postgresql';
  const newest = readdirSync(root)
    .map(Number)
    .sort((a, b) => a - b)
    .at(-1);
  return join(root, String(newest), 'bin', name);
}

function unprivileged(command: string, args: string[]): [command: string, args: string[]] {
  if (!IS_ROOT) return [command, args];
  const [uid, gid] = userIds();
  const user = [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', '--pdeathsig=INT'];
  return ['setpriv', [...user, command, ...args]];
}

function runAs(command: string, args: string[]): void {
  execFileSync(...unprivileged(command, args), { stdio: 'pipe', cwd: '/' });
}

function spawnAs(command: string, args: string[], logFile: string): ChildProcess {
  const shell = 'log=$1; shift; exec "$@" >>"$log" 2>&1';
  const [program, all] = unprivileged(command, args);
  return spawn('sh', ['-c', shell, 'sh', logFile, program, ...all], { stdio: 'ignore', cwd: '/' });
}

/** The children of a killed server run on for a moment, while a test may already remove its files. */
async function killWithChildren(server: ChildProcess): Promise<void> {
  server.kill('SIGSTOP');
  const children = readFileSync(`/proc/${server.pid}/task/${server.pid}/children`, 'latin1')
    .split(' ')
    .flatMap((pid) => identifyProcess(Number(pid)) ?? []);
  for (const { pid } of children) process.kill(pid, 'SIGKILL');
  await end(server, 'SIGKILL');
  await until('all have ended', () =>
    children.every((child) => processState(child) === 'gone') ? true : undefined,
  );
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (hasEnded(child)) return;
  const ended = once(child, 'exit');
  child.kill(signal);
  await ended;
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

async function isListening(port: number): Promise<true | undefined> {
  const client = new pg.Client({ host: '127.0.0.1', port, user: 'postgres', database: 'postgres' });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.end();
    return true;
  } catch (error) {
    return error instanceof Error && /ECONNREFUSED/.test(error.message) ? undefined : true;
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (typeof address !== 'object' || address === null) throw new Error('no free port');
  return address.port;
}
