import { randomUUID } from 'node:crypto';
import { deriveDeviceKey } from '../crypto/device-key.ts';
import { proveDevice } from '../crypto/device-proof.ts';
import { sealName } from '../crypto/names.ts';
import { storeSecrets, type TeamSecrets } from '../crypto/team-secrets.ts';
import { wrapTeamKey } from '../crypto/wrapped-key.ts';
import { TeamError } from '../feed.ts';
import { parseServerUrl, type ServerAddress, type TeamCredentials } from './address.ts';
import { type Connection, withConnection } from './connect.ts';
import { toTeamError } from './errors.ts';
import { createMachineRole, makeRoleName } from './roles.ts';
import { createSchema, lockSchema, readVersion, refuseNewer } from './schema/migrate.ts';
import { inTransaction } from './transaction.ts';

const OLDEST_SERVER = 14;

/** An administrator's login: CREATEROLE and the right to create in the database are enough. */
export interface AdminAccess {
  url: string;
  /** PEM; null: the certificates that node trusts. */
  ca: string | null;
}

export interface NewTeam {
  label: string;
  /** The administrator as a member, and this machine. */
  member: string;
  machine: string;
  /** For an encrypted team; if null, the server can read what is shared. */
  keys: NewTeamKeys | null;
  /** Called with the credentials before anything is committed: a crash afterwards must not lose the only login. */
  save: (credentials: TeamCredentials) => Promise<void> | void;
}

export interface NewTeamKeys extends Pick<TeamSecrets, 'teamKey' | 'device'> {
  /** The secret of the recovery code. */
  recovery: Uint8Array;
}

export interface CreatedTeam {
  credentials: TeamCredentials;
  /** Restrictions that the administrator's login could not apply. */
  warnings: string[];
}

/** Creates the team in the URL's database, which is created if it does not exist. */
export async function createTeam(access: AdminAccess, team: NewTeam): Promise<CreatedTeam> {
  const address = parseServerUrl(access.url, access.ca);
  await createDatabaseIfMissing(address);
  return withConnection(address, async (client) => {
    await refuseOldServer(client);
    return inTransaction(client, async () => {
      await lockSchema(client);
      await refuseExistingTeam(client);
      const created = await makeTeam(client, address, team);
      await team.save(created.credentials);
      return created;
    });
  });
}

async function makeTeam(client: Connection, address: ServerAddress, team: NewTeam): Promise<CreatedTeam> {
  const id = randomUUID();
  const roles = { owner: makeRoleName('owner_'), members: makeRoleName('members_') };
  for (const role of [roles.owner, roles.members]) await client.query(`CREATE ROLE ${role} NOLOGIN`);
  await client.query(`GRANT ${roles.owner} TO CURRENT_USER`);
  const warnings = await closeDatabase(client, address.database, roles.members);
  const { keys } = team;
  const nameOf = (name: string) => (keys ? sealName(name, keys.teamKey) : name);
  await createSchema(client, { ...roles, team: id, label: nameOf(team.label), isEncrypted: keys !== null });

  const role = makeRoleName();
  const password = await createMachineRole(client, role, roles);
  await client.query(`SET LOCAL ROLE ${roles.owner}`);
  const device = keys && describeDevice({ ...keys, team: id }, role, keys.device.publicKey);
  await client.query(
    `WITH admin AS (
       INSERT INTO cairn.member (label, sees_all_projects, is_read_only) VALUES ($1, true, false) RETURNING id
     )
     INSERT INTO cairn.device (role, member_id, label, public_key, proof, expires_at, joined_at)
     SELECT $2, id, $3, $4, $5, now(), now() FROM admin`,
    [nameOf(team.member), role, nameOf(team.machine), device?.publicKey, device?.proof],
  );
  if (keys) await addRecovery(client, { ...keys, team: id });
  await client.query('RESET ROLE');
  const login = { ...address, user: role, password, team: id };
  return { credentials: keys ? { ...login, keys: storeSecrets(keys) } : login, warnings };
}

/** Adds a device without a login, for which keys are sealed as for others. */
async function addRecovery(client: Connection, keys: NewTeamKeys & { team: string }): Promise<void> {
  const { team, teamKey, recovery } = keys;
  const role = makeRoleName();
  const { publicKey, proof } = describeDevice(keys, role, deriveDeviceKey(recovery).publicKey);
  await client.query(
    `INSERT INTO cairn.device (role, member_id, label, public_key, proof, team_key, is_recovery, expires_at, joined_at)
     SELECT $1, id, 'recovery code', $2, $3, $4, true, now(), now() FROM cairn.member`,
    [role, publicKey, proof, Buffer.from(wrapTeamKey(teamKey, recovery, team))],
  );
}

function describeDevice(keys: { team: string; teamKey: Uint8Array }, role: string, publicKey: Uint8Array) {
  return { publicKey: Buffer.from(publicKey), proof: Buffer.from(proveDevice(keys, role, publicKey)) };
}

/**
 * Lets only members connect, and without the right to create temporary tables. A database with other tables keeps its
 * rights, otherwise the users of those tables would be locked out.
 */
async function closeDatabase(client: Connection, database: string, members: string): Promise<string[]> {
  const quoted = quoteName(database);
  await client.query('SAVEPOINT closing');
  try {
    await client.query(`GRANT CONNECT ON DATABASE ${quoted} TO ${members}`);
    if (await hasOtherTables(client))
      return [`The database ${database} has other tables, so its own rights were left as they are.`];
    await client.query(`REVOKE CONNECT, TEMPORARY ON DATABASE ${quoted} FROM PUBLIC`);
    await client.query('REVOKE CREATE ON SCHEMA public FROM PUBLIC');
  } catch {
    await client.query('ROLLBACK TO SAVEPOINT closing');
  }
  const { rows } = await client.query<{ is_open: boolean }>(
    `SELECT EXISTS (
       SELECT FROM pg_database d, aclexplode(coalesce(d.datacl, acldefault('d', d.datdba))) a
       WHERE d.datname = $1 AND a.grantee = 0
     ) AS is_open`,
    [database],
  );
  return rows[0]?.is_open === true
    ? [`Every role of the server may connect to ${database}, because this login does not own it.`]
    : [];
}

async function hasOtherTables(client: Connection): Promise<boolean> {
  const { rows } = await client.query<{ has_others: boolean }>(
    `SELECT EXISTS (
       SELECT FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
       WHERE c.relkind IN ('r', 'p') AND n.nspname NOT LIKE 'pg\\_%'
         AND n.nspname NOT IN ('information_schema', 'cairn')
     ) AS has_others`,
  );
  return rows[0]?.has_others === true;
}

async function createDatabaseIfMissing(address: ServerAddress): Promise<void> {
  try {
    await withConnection(address, async () => {});
  } catch (error) {
    if (!isMissingDatabase(error)) throw error;
    await withConnection({ ...address, database: 'postgres' }, async (client) => {
      await client.query(`CREATE DATABASE ${quoteName(address.database)}`).catch(ignoreExisting);
    });
  }
}

/** Another administrator created the database at the same time. A lock decides who creates the team. */
function ignoreExisting(error: unknown): void {
  if (!/^(?:42P04|23505)$/.test(codeOf(error))) throw error;
}

function isMissingDatabase(error: unknown): boolean {
  return codeOf(toTeamError(error).cause) === '3D000';
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

async function refuseOldServer(client: Connection): Promise<void> {
  const { rows } = await client.query<{ server_version: string }>('SHOW server_version');
  const version = rows[0]?.server_version ?? '';
  if (Number.parseInt(version, 10) < OLDEST_SERVER)
    throw new TeamError(
      'server',
      `Cairn needs PostgreSQL ${OLDEST_SERVER} or newer; this server has ${version}.`,
    );
}

async function refuseExistingTeam(client: Connection): Promise<void> {
  const version = await readVersion(client);
  if (version === null) return;
  refuseNewer(version);
  throw new TeamError(
    'server',
    'This database has a team already. Use another database, or ask for an invitation.',
  );
}

function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
