import { setTimeout as pause } from 'node:timers/promises';
import { checkServerIdentity } from 'node:tls';
import pg from 'pg';
import { isLocal, type ServerAddress } from './address.ts';
import { isUnclearRefusal, toTeamError } from './errors.ts';

export type Connection = pg.Client;

const CONNECT_MS = 10_000;
/** Longer than the statement_timeout of machines' roles, so that the server's answer arrives. */
const ANSWER_MS = 40_000;

/**
 * PgBouncer gives the same error for a role that may not log in and for a server that was lost while it looked the
 * role up. In the second case the next attempts end otherwise.
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
 * Nothing here outlives a transaction (no named statements, no SET), and no start-up parameter is sent that PgBouncer
 * does not know: `statement_timeout` is a setting of each machine's role instead.
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
  // A connection that breaks between two calls would otherwise end the process; the next call reports it.
  client.on('error', () => {});
  try {
    await client.connect();
    return client;
  } catch (error) {
    void client.end().catch(() => {});
    throw error;
  }
}

/** Closes it in any case. Errors become TeamErrors. */
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

/** The host is checked here: node would check an IP address against “localhost”. */
function chooseTls({ host, ca }: ServerAddress): pg.ClientConfig['ssl'] {
  if (isLocal(host) && ca === null) return false;
  return {
    rejectUnauthorized: true,
    minVersion: 'TLSv1.2',
    checkServerIdentity: (_, certificate) => checkServerIdentity(host, certificate),
    ...(ca === null ? {} : { ca }),
  };
}
