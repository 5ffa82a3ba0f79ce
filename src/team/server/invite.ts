import { deriveDeviceKey, makeInvitationSecret } from '../crypto/device-key.ts';
import { proveDevice } from '../crypto/device-proof.ts';
import { sealName } from '../crypto/names.ts';
import { hideProjectKey } from '../crypto/project-names.ts';
import type { TeamSecrets } from '../crypto/team-secrets.ts';
import { wrapTeamKey } from '../crypto/wrapped-key.ts';
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
  /** The member's name. An existing member gets another machine with the same rights. */
  name: string;
  isReadOnly: boolean;
  /** Keys of shared projects; null for all projects, including later ones. */
  projects: string[] | null;
  /** For an encrypted team: the secrets of the inviting machine. */
  key: Pick<TeamSecrets, 'team' | 'teamKey'> | null;
  /** The address of the server for machines, if it differs from the administrator's, as with a pooler. */
  reach?: { host: string; port: number; ca: string | null; userSuffix: string };
}

/**
 * In an encrypted team the link has a secret that opens the team's key. Keys of projects are sealed for the invitation
 * at the next sync of any machine: sync before giving the link away. @returns the link, valid once and for 24 hours.
 */
export function invite(access: AdminAccess, request: InvitationRequest): Promise<string> {
  const address = parseServerUrl(access.url, access.ca);
  return withConnection(address, async (client) => {
    await requireTeam(client);
    await removeExpiredInvitations(client);
    return inTransaction(client, async () => {
      const role = makeRoleName();
      const password = await createMachineRole(client, role, await findTeamRoles(client));
      await actAsOwner(client);
      const secret = request.key && makeInvitationSecret();
      const { team, expiresAt } = await addInvitation(client, role, { ...request, secret });
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
        secret,
      });
    });
  });
}

async function addInvitation(
  client: Connection,
  role: string,
  { name, isReadOnly, projects, key, secret }: InvitationRequest & { secret: string | null },
): Promise<{ team: string; expiresAt: number }> {
  const { rows } = await client.query<{ team: string; is_encrypted: boolean }>(
    'SELECT team, is_encrypted FROM cairn.meta',
  );
  const [meta] = rows;
  if (!meta) throw new TeamError('not-a-team', 'This database has no team.');
  if (meta.is_encrypted && key === null)
    throw new TeamError('keys', 'The team is encrypted. Invite from a machine that is in it.');
  if (key && (!meta.is_encrypted || key.team !== meta.team))
    throw new TeamError('not-a-team', 'The database has another team than this machine.');
  const label = key ? sealName(name, key.teamKey) : name;
  const keys = key && projects ? projects.map((project) => hideProjectKey(key.teamKey, project)) : projects;
  const member = (await findMember(client, label)) ?? (await addMember(client, label, isReadOnly, keys));
  const device = key && secret !== null ? describeInvitation(key, role, secret) : null;
  const added = await client.query<{ expires_at: Date }>(
    `INSERT INTO cairn.device (role, member_id, public_key, proof, team_key, expires_at)
     VALUES ($1, $2, $3, $4, $5, now() + make_interval(hours => $6)) RETURNING expires_at`,
    [role, member, device?.publicKey, device?.proof, device?.teamKey, HOURS_VALID],
  );
  return { team: meta.team, expiresAt: added.rows[0]?.expires_at.getTime() ?? 0 };
}

function describeInvitation(key: Pick<TeamSecrets, 'team' | 'teamKey'>, role: string, secret: string) {
  const { publicKey } = deriveDeviceKey(secret);
  return {
    publicKey: Buffer.from(publicKey),
    proof: Buffer.from(proveDevice(key, role, publicKey)),
    teamKey: Buffer.from(wrapTeamKey(key.teamKey, secret, key.team)),
  };
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

/** Must run within a transaction of the owner. */
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

/** The roles of expired invitations can still log in, though every function refuses them. */
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
