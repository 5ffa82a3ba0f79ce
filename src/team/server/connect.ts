import { setTimeout as pause } from 'node:timers/promises';
import { checkServerIdentity } from 'node:tls';
import pg from 'pg';
import { isLocal, type ServerAddress } from './address.ts';
import { isUnclearRefusal, toTeamError } from './errors.ts';

export type Connection = pg.Client;

const CONNECT_MS = 10_000;
/** Longer than the statement_timeout of the machines' roles, to receive the server's error. */
const ANSWER_MS = 40_000;

/**
 * PgBouncer reports the same error for a role that may not log in and for a server lost during the lookup of the role.
 * In the second case further attempts give another result.
 */
const ATTEMPTS_WHEN_UNCLEAR = 3;
const PAUSE_MS = 500;

export async function connect(address: ServerAddress, answerMs = ANSWER_MS): Promise<Connection> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await connectOnce(address, answerMs);
    } catch (error) {
      if (!isUnclearRefusal(error) || attempt === ATTEMPTS_WHEN_UNCLEAR) throw toTeamError(error);
      await pause(PAUSE_MS);
    }
  }
}

/**
 * Works behind PgBouncer: nothing outlives a transaction (no named statements, no SET), and no start-up parameter is
 * sent that PgBouncer does not know. `statement_timeout` is a setting of each machine's role instead.
 */
async function connectOnce(address: ServerAddress, answerMs: number): Promise<Connection> {
  const client = new pg.Client({
    host: address.host,
    port: address.port,
    database: address.database,
    user: address.user,
    password: address.password,
    ssl: chooseTls(address),
    enableChannelBinding: true,
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: answerMs,
    keepAlive: true,
  });
  // Without a listener a connection that breaks between two calls would end the process. The next call reports it.
  client.on('error', () => {});
  try {
    await client.connect();
    return client;
  } catch (error) {
    void client.end().catch(() => {});
    throw error;
  }
}

/** Always closes the connection. Errors become TeamErrors. */
export async function withConnection<T>(
  address: ServerAddress,
  work: (client: Connection) => Promise<T>,
  answerMs?: number,
): Promise<T> {
  const client = await connect(address, answerMs);
  try {
    return await work(client);
  } catch (error) {
    throw toTeamError(error);
  } finally {
    await client.end().catch(() => {});
  }
}

/** Checks the host itself: node would check an IP address against “localhost”. */
function chooseTls({ host, ca }: ServerAddress): pg.ClientConfig['ssl'] {
  if (isLocal(host) && ca === null) return false;
  return {
    rejectUnauthorized: true,
    minVersion: 'TLSv1.2',
    checkServerIdentity: (_, certificate) => checkServerIdentity(host, certificate),
    ...(ca === null ? {} : { ca }),
  };
}
