import { checkServerIdentity } from 'node:tls';
import pg from 'pg';
import { isLocal, type ServerAddress } from './address.ts';
import { toTeamError } from './errors.ts';

export type Connection = pg.Client;

const CONNECT_MS = 10_000;
/** Longer than the statement_timeout of machines' roles, so that the server's answer arrives. */
const ANSWER_MS = 90_000;

/**
 * Nothing here outlives a transaction (no named statements, no SET), and no start-up parameter is sent that PgBouncer
 * does not know: `statement_timeout` is a setting of each machine's role instead.
 */
export async function connect(address: ServerAddress, answerMs = ANSWER_MS): Promise<Connection> {
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
  } catch (error) {
    void client.end().catch(() => {});
    throw toTeamError(error);
  }
  return client;
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
