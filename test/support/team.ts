import { createHash, randomUUID } from 'node:crypto';
import type { OutgoingChange, PushResult, TeamFeed } from '../../src/team/feed.ts';
import type { TeamCredentials } from '../../src/team/server/address.ts';
import { type AdminAccess, createTeam } from '../../src/team/server/create.ts';
import { type InvitationRequest, invite } from '../../src/team/server/invite.ts';
import { join } from '../../src/team/server/join.ts';
import type { Postgres } from './postgres.ts';

export interface TestTeam {
  access: AdminAccess;
  database: string;
  /** The machine of the administrator, Ada, who sees all projects. */
  ada: TeamCredentials;
  /** Joins from a new machine; the first call with a name adds the member. */
  join(name: string, rights?: Partial<InvitationRequest>): Promise<TeamCredentials>;
}

/** A team in its own database. */
export async function makeTeam(postgres: Postgres): Promise<TestTeam> {
  const database = `team_${randomUUID().slice(0, 8)}`;
  const access = { url: postgres.adminUrl(database), ca: null };
  const { credentials } = await createTeam(access, {
    label: 'Test team',
    member: 'Ada',
    machine: "Ada's laptop",
    keys: null,
    save: () => {},
  });
  return {
    access,
    database,
    ada: credentials,
    join: async (name, rights = {}) =>
      join(await invite(access, { name, isReadOnly: false, projects: null, key: null, ...rights }), {
        machine: `${name}'s machine`,
        save: () => {},
      }),
  };
}

/** 48 bits of milliseconds, 16 of counter. */
export function makeHlc(ms: number = Date.now(), counter = 0): string {
  return ((BigInt(ms) << 16n) + BigInt(counter)).toString();
}

/** A text, unless `fields` say otherwise; the digest is computed from the rest. */
export function makeChange(n: number, fields: Partial<OutgoingChange> = {}): OutgoingChange {
  const aspect = fields.aspect ?? 'text';
  const change = {
    n,
    item: randomUUID(),
    aspect,
    hlc: makeHlc(),
    payload: aspect === 'deletion' ? null : Buffer.from(`text ${n}`),
    keyEpoch: 0,
    tokens: [],
    ...fields,
  };
  const digest = createHash('sha256').update(JSON.stringify(change)).digest();
  return { ...change, digest: fields.digest ?? digest };
}

/** Throws unless the server has stored all changes. */
export async function pushAll(
  feed: TeamFeed,
  project: number,
  origin: string,
  changes: OutgoingChange[],
): Promise<PushResult> {
  const result = await feed.push({ project, origin, changes });
  if (result.outcome !== 'stored' || result.refused.length > 0) throw new Error(JSON.stringify(result));
  return result;
}

export function textOf(payload: Uint8Array | null): string | null {
  return payload === null ? null : Buffer.from(payload).toString('utf8');
}
