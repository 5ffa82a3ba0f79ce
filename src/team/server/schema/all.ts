import { sql as tables } from './001-tables.ts';
import { sql as identity } from './002-identity.ts';
import { sql as feed } from './003-feed.ts';
import { sql as search } from './004-search.ts';
import { sql as people } from './005-people.ts';
import { sql as keys } from './006-keys.ts';

export interface Migration {
  name: string;
  sql: string;
}

/** In order; the version of a schema is the number of migrations it has. Released ones are never edited. */
export const migrations: readonly Migration[] = [
  { name: '001-tables', sql: tables },
  { name: '002-identity', sql: identity },
  { name: '003-feed', sql: feed },
  { name: '004-search', sql: search },
  { name: '005-people', sql: people },
  { name: '006-keys', sql: keys },
];

/** All functions that members may call. Others are called only by the owner's functions. */
export const MEMBER_FUNCTIONS = [
  'version()',
  'heads()',
  'open_project(text, bytea)',
  'push(int, uuid, bigint[], text[], int[], text[], bytea[], bytea[], int[], text[], text[])',
  'pull(int, bigint, bytea, int)',
  'confirm(int, bigint)',
  'claim(int, uuid)',
  'search(int[], int[], int)',
  'read_texts(uuid[], uuid[])',
  'read_invitation()',
  'join_team(text, bytea, bytea)',
  'leave_team()',
  'members()',
  'machines()',
  'my_keys()',
  'put_keys(int, int, bytea, name[], bytea[])',
  'missing_keys()',
  'readers_of(int)',
  'reject_key(int, int)',
  'recovery_keys()',
  'take_invitation_keys()',
  'replace_device_key(bytea, bytea)',
] as const;
