import type { TeamCredentials } from './address.ts';
import { type Connection, connect } from './connect.ts';
import { toTeamError } from './errors.ts';
import { requireTeam } from './require-team.ts';

/** Calls the team's functions. Connects at the first call, and again after the connection was lost. */
export interface Channel {
  /** One call at a time. Errors are TeamErrors. */
  ask<Row extends object>(sql: string, values: unknown[]): Promise<Row[]>;
  close(): Promise<void>;
}

export function openChannel(credentials: TeamCredentials): Channel {
  let connection: Connection | null = null;

  async function close(): Promise<void> {
    const open = connection;
    connection = null;
    await open?.end().catch(() => {});
  }

  return {
    close,
    async ask<Row extends object>(sql: string, values: unknown[]): Promise<Row[]> {
      try {
        connection ??= await connectToTeam(credentials);
        return (await connection.query<Row>(sql, values)).rows;
      } catch (error) {
        const teamError = toTeamError(error);
        if (!['forbidden', 'busy', 'keys'].includes(teamError.reason)) await close();
        throw teamError;
      }
    },
  };
}

/** The same over the caller's connection, within its transaction. */
export function askOver(client: Connection): Pick<Channel, 'ask'> {
  return {
    ask: async <Row extends object>(sql: string, values: unknown[]) =>
      (await client.query<Row>(sql, values)).rows,
  };
}

async function connectToTeam(credentials: TeamCredentials): Promise<Connection> {
  const client = await connect(credentials);
  try {
    await requireTeam(client);
    return client;
  } catch (error) {
    await client.end().catch(() => {});
    throw error;
  }
}
