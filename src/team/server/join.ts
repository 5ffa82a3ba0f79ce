import type { SealedKey } from '../crypto/sealed-key.ts';
import { TeamError } from '../feed.ts';
import type { TeamCredentials } from './address.ts';
import { type Connection, withConnection } from './connect.ts';
import { putOwnKeys, readSealedKeys } from './keys.ts';
import { readLink } from './link.ts';
import { requireTeam } from './require-team.ts';
import { makePassword, makeVerifier } from './scram.ts';
import { inTransaction } from './transaction.ts';

type Save = (credentials: TeamCredentials) => Promise<void> | void;

export interface JoinRequest {
  machine: string;
  /** For an encrypted team: the machine's own key, and what seals the invitation's keys again for it. */
  key: { publicKey: Uint8Array; reseal: (keys: SealedKey[], secret: string) => SealedKey[] } | null;
  /** Called before anything is committed: a crash afterwards must not lose the only login. */
  save: Save;
}

/** Uses up an invitation. Its password is dead at once; the new one is known to this machine alone. */
export function join(link: string, request: JoinRequest): Promise<TeamCredentials> {
  const { expiresAt: _, secret, ...invitation } = readLink(link);
  return withConnection(invitation, async (client) => {
    await requireTeam(client);
    return inTransaction(client, async () => {
      const { rows } = await client.query<{ team: string; is_encrypted: boolean }>(
        'SELECT * FROM cairn.join_team($1, $2)',
        [request.machine, request.key && Buffer.from(request.key.publicKey)],
      );
      const joined = rows[0];
      if (joined?.team !== invitation.team)
        throw new TeamError('not-a-team', 'The database has another team than the link. Ask for a new link.');
      if (joined.is_encrypted) await takeKeys(client, secret, request.key);
      return setPassword(client, invitation, request.save);
    });
  });
}

/** Gives this machine a new password; the old one is dead at once. */
export function rotate(credentials: TeamCredentials, save: Save): Promise<TeamCredentials> {
  return withConnection(credentials, async (client) => {
    await requireTeam(client);
    return inTransaction(client, () => setPassword(client, credentials, save));
  });
}

/** Ends this machine's membership. Its credentials are worthless afterwards. */
export function leave(credentials: TeamCredentials): Promise<void> {
  return withConnection(credentials, async (client) => {
    await requireTeam(client);
    await inTransaction(client, async () => {
      await client.query('SELECT cairn.leave_team()');
      await client.query('ALTER ROLE CURRENT_USER PASSWORD NULL');
    });
  });
}

async function takeKeys(client: Connection, secret: string | null, key: JoinRequest['key']): Promise<void> {
  if (secret === null || key === null)
    throw new TeamError('server', 'The team is encrypted, and the link has no key. Ask for a new link.');
  await putOwnKeys(client, key.reseal(await readSealedKeys(client, 'take_invitation_keys'), secret));
}

async function setPassword(
  client: Connection,
  credentials: TeamCredentials,
  save: Save,
): Promise<TeamCredentials> {
  const password = makePassword();
  await client.query(`ALTER ROLE CURRENT_USER PASSWORD '${makeVerifier(password)}'`);
  const changed = { ...credentials, password };
  await save(changed);
  return changed;
}
