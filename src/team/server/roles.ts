import { randomBytes } from 'node:crypto';
import { TeamError } from '../feed.ts';
import type { Connection } from './connect.ts';
import { makePassword, makeVerifier } from './scram.ts';

/** A random name, because every role of the cluster can list the names of all others. Needs no quotes in SQL. */
export function makeRoleName(kind: '' | 'owner_' | 'members_' = ''): string {
  return `cairn_${kind}${randomBytes(8).toString('hex')}`;
}

/** Timeouts of a machine's role, which could change them, but has no reason to. */
const SETTINGS = {
  statement_timeout: '30s',
  idle_in_transaction_session_timeout: '60s',
};

/** A login role that may call the team's functions and nothing else. @returns its password. */
export async function createMachineRole(
  client: Connection,
  role: string,
  { owner, members }: TeamRoles,
): Promise<string> {
  const password = makePassword();
  await client.query(
    `CREATE ROLE ${role} LOGIN INHERIT CONNECTION LIMIT 4 PASSWORD '${makeVerifier(password)}'`,
  );
  for (const [name, value] of Object.entries(SETTINGS)) {
    await client.query(`ALTER ROLE ${role} SET ${name} = '${value}'`);
  }
  await client.query(`GRANT ${members} TO ${role}`);
  // Closing connections of the role requires membership in it; from PostgreSQL 16 on, changing it does, too.
  await client.query(`GRANT ${role} TO ${owner} WITH ADMIN OPTION`);
  await refuseExcessRights(client, role, members);
  return password;
}

/** The role of this connection. Behind a pooler the user name of a login may contain more than the role. */
export async function roleOf(client: Connection): Promise<string> {
  const { rows } = await client.query<{ role: string }>('SELECT session_user AS role');
  return rows[0]?.role ?? '';
}

export interface TeamRoles {
  owner: string;
  members: string;
}

export async function findTeamRoles(client: Connection): Promise<TeamRoles> {
  const { rows } = await client.query<TeamRoles>(
    `SELECT quote_ident(o.rolname) AS owner, quote_ident(g.rolname) AS members
     FROM pg_namespace n
     JOIN pg_roles o ON o.oid = n.nspowner
     JOIN aclexplode(n.nspacl) a ON a.privilege_type = 'USAGE' AND a.grantee <> o.oid
     JOIN pg_roles g ON g.oid = a.grantee AND g.rolname LIKE 'cairn\\_members\\_%'
     WHERE n.nspname = 'cairn'`,
  );
  const [roles] = rows;
  if (!roles) throw new TeamError('not-a-team', 'This database has no team.');
  return roles;
}

/** Some services give every new role more rights than requested. */
async function refuseExcessRights(client: Connection, role: string, members: string): Promise<void> {
  const { rows } = await client.query(
    `SELECT FROM pg_roles r WHERE r.rolname = $1
       AND (r.rolsuper OR r.rolbypassrls OR r.rolcreaterole OR r.rolcreatedb OR r.rolreplication
         OR EXISTS (
           SELECT FROM pg_auth_members m JOIN pg_roles g ON g.oid = m.roleid
           WHERE m.member = r.oid AND g.rolname <> $2))`,
    [role, members],
  );
  if (rows.length > 0)
    throw new TeamError(
      'server',
      'This server gives new roles rights that bypass row-level security. It cannot host a team safely.',
    );
}
