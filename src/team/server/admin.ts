import { setTimeout as pause } from 'node:timers/promises';
import { sealName } from '../crypto/names.ts';
import { hideProjectKey } from '../crypto/project-names.ts';
import type { TeamSecrets } from '../crypto/team-secrets.ts';
import { TeamError } from '../feed.ts';
import { parseServerUrl } from './address.ts';
import { type Connection, withConnection } from './connect.ts';
import type { AdminAccess } from './create.ts';
import { grantProjects } from './invite.ts';
import { requireTeam } from './require-team.ts';
import { actAsOwner, migrate } from './schema/migrate.ts';
import { inTransaction } from './transaction.ts';

const ENDING_MS = 10_000;
const SCRUB_MS = 24 * 3600_000;

/** Migrates the team's schema. @returns the migrations that were applied. */
export function migrateTeam(access: AdminAccess): Promise<string[]> {
  return withAdmin(access, (client) => migrate(client));
}

/** Revokes all machines of a member. Data they have pulled stays there. @returns how many machines lost access. */
export function revokeMember(
  access: AdminAccess,
  name: string,
  secrets: Pick<TeamSecrets, 'teamKey'> | null = null,
): Promise<number> {
  return withTeam(access, async (client) => {
    const roles = await flag(
      client,
      `WITH gone AS (
         UPDATE cairn.member SET revoked_at = now() WHERE label = $1 AND revoked_at IS NULL RETURNING id
       ), devices AS (
         UPDATE cairn.device d SET revoked_at = now() FROM gone
         WHERE d.member_id = gone.id AND d.revoked_at IS NULL RETURNING d.role, d.is_recovery
       ), due AS (
         UPDATE cairn.project p SET is_rotation_due = true FROM gone JOIN cairn.member m ON m.id = gone.id
         WHERE p.id IN (SELECT r.project_id FROM cairn.list_rights(m) r)
       )
       SELECT NULL AS role FROM gone UNION ALL SELECT role FROM devices WHERE NOT is_recovery`,
      secrets ? sealName(name, secrets.teamKey) : name,
    );
    if (roles === null) throw new TeamError('server', await describeUnknown(client, name, secrets !== null));
    for (const role of roles) await endAccess(client, role);
    return roles.length;
  });
}

async function describeUnknown(client: Connection, name: string, knowsNames: boolean): Promise<string> {
  const { rows } = await inTransaction(client, async () => {
    await actAsOwner(client);
    return client.query('SELECT FROM cairn.meta WHERE is_encrypted');
  });
  return rows.length > 0 && !knowsNames
    ? 'The team is encrypted: only its machines know the names of members. Run this on one of them; revoke also takes a machine: --role.'
    : `No member has the name ${name}.`;
}

/** Revokes one machine by its role. */
export function revokeMachine(access: AdminAccess, role: string): Promise<void> {
  return withTeam(access, async (client) => {
    const roles = await flag(
      client,
      `WITH gone AS (
         UPDATE cairn.device SET revoked_at = coalesce(revoked_at, now())
         WHERE role = $1 AND NOT is_recovery RETURNING role, member_id
       ), due AS (
         UPDATE cairn.project p SET is_rotation_due = true FROM gone JOIN cairn.member m ON m.id = gone.member_id
         WHERE p.id IN (SELECT r.project_id FROM cairn.list_rights(m) r)
       )
       SELECT role FROM gone`,
      role,
    );
    if (roles === null) throw new TeamError('server', `No machine has the role ${role}.`);
    for (const found of roles) await endAccess(client, found);
  });
}

export interface Rights {
  isReadOnly: boolean;
  /** Keys of shared projects; null for all projects, including later ones. */
  projects: string[] | null;
}

/** Replaces a member's rights. Open connections are closed: they may hold a snapshot with the old rights. */
export function setRights(
  access: AdminAccess,
  name: string,
  { isReadOnly, projects }: Rights,
  secrets: Pick<TeamSecrets, 'teamKey'> | null = null,
): Promise<void> {
  const label = secrets ? sealName(name, secrets.teamKey) : name;
  const keys = secrets && projects ? projects.map((key) => hideProjectKey(secrets.teamKey, key)) : projects;
  return withTeam(access, async (client) => {
    const roles = await inTransaction(client, async () => {
      await actAsOwner(client);
      await client.query(
        `UPDATE cairn.project p SET is_rotation_due = true FROM cairn.member m
         WHERE m.label = $1 AND m.revoked_at IS NULL AND p.id IN (SELECT r.project_id FROM cairn.list_rights(m) r)`,
        [label],
      );
      const { rows } = await client.query<{ id: number }>(
        `UPDATE cairn.member SET is_read_only = $2, sees_all_projects = $3
         WHERE label = $1 AND revoked_at IS NULL RETURNING id`,
        [label, isReadOnly, keys === null],
      );
      const id = rows[0]?.id;
      if (id === undefined) return null;
      await client.query('DELETE FROM cairn.access WHERE member_id = $1', [id]);
      if (keys !== null) await grantProjects(client, id, keys, !isReadOnly);
      return client.query<{ role: string }>(
        'SELECT role FROM cairn.device WHERE member_id = $1 AND NOT is_recovery',
        [id],
      );
    });
    if (!roles) throw new TeamError('server', await describeUnknown(client, name, secrets !== null));
    for (const { role } of roles.rows) await endConnections(client, role);
  });
}

/**
 * Rewrites all tables to remove the bytes of forgotten texts from them and their indexes. The WAL and backups keep
 * theirs until they expire. Each partition is locked while it is rewritten; pushes to it wait or are retried.
 */
export function scrub(access: AdminAccess): Promise<void> {
  const address = parseServerUrl(access.url, access.ca);
  return withConnection(
    address,
    async (client) => {
      await requireTeam(client);
      const { rows } = await client.query<{ name: string }>(
        `SELECT format('%I.%I', n.nspname, c.relname) AS name
         FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
         WHERE n.nspname = 'cairn' AND c.relkind = 'r' ORDER BY c.relname`,
      );
      for (const { name } of rows) await client.query(`VACUUM (FULL, ANALYZE) ${name}`);
    },
    SCRUB_MS,
  );
}

/** The order matters: the flag stops new calls, NOLOGIN stops new connections, then open ones are closed. */
async function endAccess(client: Connection, role: string): Promise<void> {
  await client.query(`ALTER ROLE ${role} NOLOGIN`);
  await endConnections(client, role);
}

/** Closes the connections open at the start. A machine that may still log in can open others meanwhile. */
async function endConnections(client: Connection, role: string): Promise<void> {
  const open = await client.query<{ pid: number }>('SELECT pid FROM pg_stat_activity WHERE usename = $1', [
    role,
  ]);
  const pids = open.rows.map(({ pid }) => pid);
  const giveUpAt = Date.now() + ENDING_MS;
  for (;;) {
    const { rows } = await client.query(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = $1 AND pid = ANY ($2)',
      [role, pids],
    );
    if (rows.length === 0) return;
    if (Date.now() > giveUpAt)
      throw new TeamError('server', `Connections of ${role} are still open. Run the command again.`);
    await pause(50);
  }
}

/** Sets the flag in its own transaction, before anything that could fail. @returns null if no row matched. */
async function flag(client: Connection, sql: string, value: string): Promise<string[] | null> {
  const rows = await inTransaction(client, async () => {
    await actAsOwner(client);
    return (await client.query<{ role: string | null }>(sql, [value])).rows;
  });
  return rows.length === 0 ? null : rows.flatMap(({ role }) => (role === null ? [] : [role]));
}

function withTeam<T>(access: AdminAccess, work: (client: Connection) => Promise<T>): Promise<T> {
  return withAdmin(access, async (client) => {
    await requireTeam(client);
    return work(client);
  });
}

function withAdmin<T>(access: AdminAccess, work: (client: Connection) => Promise<T>): Promise<T> {
  return withConnection(parseServerUrl(access.url, access.ca), work);
}
