import { showName } from '../crypto/names.ts';
import { readSecrets } from '../crypto/team-secrets.ts';
import type { TeamCredentials } from './address.ts';
import { withConnection } from './connect.ts';
import { requireTeam } from './require-team.ts';

/** A member who shares a project with this one. */
export interface Member {
  id: number;
  name: string;
  isMe: boolean;
  isReadOnly: boolean;
  seesAllProjects: boolean;
  /** The projects that both may read. */
  projects: number[];
  createdAt: Date;
  revokedAt: Date | null;
}

export interface Machine {
  /** Identifies it in `revokeMachine`. */
  role: string;
  member: string;
  /** Null while it is an invitation. */
  label: string | null;
  isThis: boolean;
  invitedAt: Date;
  /** Until when an invitation is valid. */
  expiresAt: Date;
  joinedAt: Date | null;
  revokedAt: Date | null;
  lastSeen: Date | null;
  /** The last change it has confirmed of each project that both may read; '0' if none. */
  confirmed: { project: number; seq: string }[];
}

export function listMembers(credentials: TeamCredentials): Promise<Member[]> {
  const nameOf = nameReader(credentials);
  return withConnection(credentials, async (client) => {
    await requireTeam(client);
    const { rows } = await client.query<{
      id: number;
      label: string;
      is_me: boolean;
      is_read_only: boolean;
      sees_all_projects: boolean;
      projects: number[];
      created_at: Date;
      revoked_at: Date | null;
    }>('SELECT * FROM cairn.members()');
    return rows.map((row) => ({
      id: row.id,
      name: nameOf(row.label),
      isMe: row.is_me,
      isReadOnly: row.is_read_only,
      seesAllProjects: row.sees_all_projects,
      projects: row.projects,
      createdAt: row.created_at,
      revokedAt: row.revoked_at,
    }));
  });
}

export function listMachines(credentials: TeamCredentials): Promise<Machine[]> {
  const nameOf = nameReader(credentials);
  return withConnection(credentials, async (client) => {
    await requireTeam(client);
    const { rows } = await client.query<{
      role: string;
      member: string;
      label: string | null;
      is_this: boolean;
      invited_at: Date;
      expires_at: Date;
      joined_at: Date | null;
      revoked_at: Date | null;
      last_seen: Date | null;
      projects: number[];
      confirmed: string[];
    }>('SELECT * FROM cairn.machines()');
    return rows.map((row) => ({
      role: row.role,
      member: nameOf(row.member),
      label: row.label && nameOf(row.label),
      isThis: row.is_this,
      invitedAt: row.invited_at,
      expiresAt: row.expires_at,
      joinedAt: row.joined_at,
      revokedAt: row.revoked_at,
      lastSeen: row.last_seen,
      confirmed: row.projects.map((project, at) => ({ project, seq: row.confirmed[at] ?? '0' })),
    }));
  });
}

/** Opens names of an encrypted team, which the server cannot read. */
function nameReader(credentials: TeamCredentials): (label: string) => string {
  const secrets = readSecrets(credentials);
  return secrets ? (label) => showName(label, secrets.teamKey) : (label) => label;
}
