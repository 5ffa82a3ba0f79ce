import { TeamError } from '../../feed.ts';
import type { Connection } from '../connect.ts';
import { inTransaction } from '../transaction.ts';
import { MEMBER_FUNCTIONS, type Migration, migrations } from './all.ts';

/** The key of the lock taken before the schema exists. It can be the same for every team: each has its own database. */
const SCHEMA_LOCK = 4_926_816_411;

export interface NewSchema {
  team: string;
  label: string;
  isEncrypted: boolean;
  /** Roles without login, created by the caller: the tables' owner, and the group that may call the functions. */
  owner: string;
  members: string;
}

/** Must run within a transaction. Fails if the database has a team already. */
export async function createSchema(client: Connection, schema: NewSchema): Promise<void> {
  await client.query(`CREATE SCHEMA cairn AUTHORIZATION ${schema.owner}`);
  await client.query(`SET LOCAL ROLE ${schema.owner}`);
  await client.query('ALTER DEFAULT PRIVILEGES REVOKE EXECUTE ON FUNCTIONS FROM PUBLIC');
  for (const { sql } of migrations) await client.query(sql);
  await client.query(
    `INSERT INTO cairn.meta (schema_version, team, epoch, is_encrypted, label, members_role)
     VALUES ($1, $2, gen_random_uuid(), $3, $4, $5)`,
    [migrations.length, schema.team, schema.isEncrypted, schema.label, schema.members],
  );
  await grantFunctions(client, schema.members);
  await client.query('RESET ROLE');
}

/** Migrates an older schema and leaves a newer one alone. @returns the names of the applied migrations. */
export function migrate(client: Connection, wanted: readonly Migration[] = migrations): Promise<string[]> {
  return inTransaction(client, async () => {
    await lockSchema(client);
    const version = await readVersion(client);
    if (version === null) throw new TeamError('not-a-team', 'This database has no team.');
    refuseNewer(version, wanted.length);
    const missing = wanted.slice(version);
    if (missing.length === 0) return [];
    await actAsOwner(client);
    for (const { sql } of missing) await client.query(sql);
    const { rows } = await client.query<{ members_role: string }>(
      'UPDATE cairn.meta SET schema_version = $1 RETURNING members_role',
      [wanted.length],
    );
    for (const { members_role } of rows) await grantFunctions(client, members_role);
    return missing.map(({ name }) => name);
  });
}

/** Held until the transaction ends: behind a transaction pooler a lock of the connection would outlive it. */
export async function lockSchema(client: Connection): Promise<void> {
  await client.query("SET LOCAL lock_timeout = '60s'");
  await client.query('SELECT pg_advisory_xact_lock($1)', [SCHEMA_LOCK]);
}

/** @returns null where there is no team. */
export async function readVersion(client: Connection): Promise<number | null> {
  const { rows } = await client.query<{ is_there: boolean }>(
    `SELECT to_regprocedure('cairn.version()') IS NOT NULL AS is_there`,
  );
  if (rows[0]?.is_there !== true) return null;
  const found = await client.query<{ version: number }>('SELECT cairn.version() AS version');
  return found.rows[0]?.version ?? null;
}

export function refuseNewer(version: number, known: number = migrations.length): void {
  if (version <= known) return;
  throw new TeamError(
    'newer-schema',
    `The team's database has schema ${version}; this version of Cairn knows ${known}. Update Cairn on this machine.`,
  );
}

/** Takes effect for the rest of the transaction. The administrator is a member of the role that owns the tables. */
export async function actAsOwner(client: Connection): Promise<void> {
  const { rows } = await client.query<{ owner: string }>(
    `SELECT quote_ident(r.rolname) AS owner FROM pg_namespace n JOIN pg_roles r ON r.oid = n.nspowner
     WHERE n.nspname = 'cairn'`,
  );
  const owner = rows[0]?.owner;
  if (owner === undefined) throw new TeamError('not-a-team', 'This database has no team.');
  await client.query(`SET LOCAL ROLE ${owner}`);
}

async function grantFunctions(client: Connection, members: string): Promise<void> {
  await client.query('REVOKE ALL ON ALL FUNCTIONS IN SCHEMA cairn FROM PUBLIC');
  await client.query(`GRANT USAGE ON SCHEMA cairn TO ${members}`);
  for (const name of MEMBER_FUNCTIONS) {
    await client.query(`GRANT EXECUTE ON FUNCTION cairn.${name} TO ${members}`);
  }
}
