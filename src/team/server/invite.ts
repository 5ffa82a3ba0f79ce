import { TeamError } from '../feed.ts';
import { parseServerUrl } from './address.ts';
import { type Connection, withConnection } from './connect.ts';
import type { AdminAccess } from './create.ts';
import { writeLink } from './link.ts';
import { requireTeam } from './require-team.ts';
import { createMachineRole, findTeamRoles, makeRoleName } from './roles.ts';
import { actAsOwner } from './schema/migrate.ts';
import { inTransaction } from './transaction.ts';

const HOURS_VALID = 24;

export interface InvitationRequest {
  /** A member's name. A name that exists gets another machine, with the rights the member has. */
  name: string;
  isReadOnly: boolean;
  /** Keys of shared projects; null: all projects, also later ones. */
  projects: string[] | null;
  /** For an encrypted team: the public key that belongs to `secret`, which travels in the link. */
  key: { publicKey: Uint8Array; secret: string } | null;
  /** Where machines reach the server, if not where the administrator does: through a pooler, for example. */
  reach?: { host: string; port: number; ca: string | null; userSuffix: string };
}

/** @returns the link, valid once and for 24 hours. */
export function invite(access: AdminAccess, request: InvitationRequest): Promise<string> {
  const address = parseServerUrl(access.url, access.ca);
  return withConnection(address, async (client) => {
    await requireTeam(client);
    await removeExpiredInvitations(client);
    return inTransaction(client, async () => {
      const role = makeRoleName();
      const password = await createMachineRole(client, role, await findTeamRoles(client));
      await actAsOwner(client);
      const { team, expiresAt } = await addInvitation(client, role, request);
      await client.query('RESET ROLE');
      const { host, port, ca, userSuffix } = request.reach ?? { ...address, userSuffix: '' };
      return writeLink({
        host,
        port,
        ca,
        database: address.database,
        user: role + userSuffix,
        password,
        team,
        expiresAt,
        secret: request.key?.secret ?? null,
      });
    });
  });
}

async function addInvitation(
  client: Connection,
  role: string,
  { name, isReadOnly, projects, key }: InvitationRequest,
): Promise<{ team: string; expiresAt: number }> {
  const member = (await findMember(client, name)) ?? (await addMember(client, name, isReadOnly, projects));
  const { rows } = await client.query<{ team: string; is_encrypted: boolean; expires_at: Date }>(
    `WITH added AS (
       INSERT INTO cairn.device (role, member_id, public_key, expires_at)
       VALUES ($1, $2, $3, now() + make_interval(hours => $4)) RETURNING expires_at
     )
     SELECT m.team, m.is_encrypted, added.expires_at FROM cairn.meta m, added`,
    [role, member, key && Buffer.from(key.publicKey), HOURS_VALID],
  );
  const [added] = rows;
  if (!added) throw new TeamError('not-a-team', 'This database has no team.');
  if (added.is_encrypted !== (key !== null))
    throw new TeamError('server', 'An invitation to an encrypted team needs a key, and to others none.');
  return { team: added.team, expiresAt: added.expires_at.getTime() };
}

async function findMember(client: Connection, name: string): Promise<number | undefined> {
  const { rows } = await client.query<{ id: number }>(
    'SELECT id FROM cairn.member WHERE label = $1 AND revoked_at IS NULL',
    [name],
  );
  return rows[0]?.id;
}

async function addMember(
  client: Connection,
  name: string,
  isReadOnly: boolean,
  projects: string[] | null,
): Promise<number> {
  const { rows } = await client.query<{ id: number }>(
    'INSERT INTO cairn.member (label, sees_all_projects, is_read_only) VALUES ($1, $2, $3) RETURNING id',
    [name, projects === null, isReadOnly],
  );
  const id = rows[0]?.id ?? 0;
  if (projects !== null) await grantProjects(client, id, projects, !isReadOnly);
  return id;
}

/** Part of a transaction of the owner. */
export async function grantProjects(
  client: Connection,
  member: number,
  projects: string[],
  canWrite: boolean,
): Promise<void> {
  const { rows } = await client.query<{ key: string }>(
    `WITH added AS (
       INSERT INTO cairn.access (member_id, project_id, can_write)
       SELECT $1, id, $3 FROM cairn.project WHERE key = ANY ($2)
       ON CONFLICT (member_id, project_id) DO UPDATE SET can_write = excluded.can_write
       RETURNING project_id
     )
     SELECT key FROM added JOIN cairn.project ON id = project_id`,
    [member, projects, canWrite],
  );
  const unknown = projects.filter((key) => !rows.some((row) => row.key === key));
  if (unknown.length > 0)
    throw new TeamError('server', `Not shared with the team yet: ${unknown.join(', ')}. Share it first.`);
}

/** Their roles could still log in, to functions that refuse them. */
async function removeExpiredInvitations(client: Connection): Promise<void> {
  await inTransaction(client, async () => {
    await actAsOwner(client);
    const { rows } = await client.query<{ role: string }>(
      `WITH expired AS (
         SELECT role FROM cairn.device WHERE joined_at IS NULL AND expires_at < now() FOR UPDATE SKIP LOCKED
       ), unsealed AS (
         DELETE FROM cairn.keybox WHERE device IN (SELECT role FROM expired)
       )
       SELECT role FROM expired`,
    );
    const roles = rows.map(({ role }) => role);
    await client.query('DELETE FROM cairn.device WHERE role = ANY ($1)', [roles]);
    await client.query('RESET ROLE');
    for (const role of roles) await client.query(`DROP ROLE IF EXISTS ${role}`);
  });
}
