import { deriveDeviceKey, makeDeviceKey } from '../crypto/device-key.ts';
import { proveDevice } from '../crypto/device-proof.ts';
import { sealName } from '../crypto/names.ts';
import { resealKeys } from '../crypto/reseal.ts';
import { readSecrets, storeSecrets, type TeamSecrets } from '../crypto/team-secrets.ts';
import { unwrapTeamKey } from '../crypto/wrapped-key.ts';
import { TeamError } from '../feed.ts';
import type { TeamCredentials } from './address.ts';
import { askOver } from './channel.ts';
import { type Connection, withConnection } from './connect.ts';
import { isRefusedLogin } from './errors.ts';
import { putOwnKeys, readSealedKeys } from './keys.ts';
import { readLink } from './link.ts';
import { requireTeam } from './require-team.ts';
import { roleOf } from './roles.ts';
import { makePassword, makeVerifier } from './scram.ts';
import { inTransaction } from './transaction.ts';

type Save = (credentials: TeamCredentials) => Promise<void> | void;

export interface JoinRequest {
  machine: string;
  /** Called before anything is committed: a crash afterwards must not lose the only login. */
  save: Save;
}

/** Uses up an invitation. Its password becomes invalid at once, and only this machine knows the new one. */
export async function join(link: string, request: JoinRequest): Promise<TeamCredentials> {
  try {
    return await useInvitation(link, request);
  } catch (error) {
    if (!isRefusedLogin(error)) throw error;
    throw new TeamError('access', 'This link was used, has expired or was revoked. Ask for a new link.', {
      cause: error,
    });
  }
}

function useInvitation(link: string, { machine, save }: JoinRequest): Promise<TeamCredentials> {
  const { expiresAt: _, secret, ...invitation } = readLink(link);
  return withConnection(invitation, async (client) => {
    await requireTeam(client);
    return inTransaction(client, async () => {
      const { rows } = await client.query<InvitationRow>('SELECT * FROM cairn.read_invitation()');
      const found = rows[0];
      if (found?.team !== invitation.team)
        throw new TeamError('not-a-team', 'The database has another team than the link. Ask for a new link.');
      // Trust the link, not the server, which could deny that the team is encrypted.
      const secrets = secret === null ? null : openInvitation(found, secret);
      if (found.is_encrypted && !secrets)
        throw new TeamError('server', 'The team is encrypted, and the link has no key. Ask for a new link.');
      await enter(client, machine, secrets);
      if (secrets && secret !== null) {
        const sealed = await readSealedKeys(askOver(client), 'take_invitation_keys');
        await putOwnKeys(askOver(client), resealKeys(sealed, deriveDeviceKey(secret), secrets));
      }
      const login = secrets ? { ...invitation, keys: storeSecrets(secrets) } : invitation;
      return setPassword(client, login, save);
    });
  });
}

interface InvitationRow {
  team: string;
  is_encrypted: boolean;
  team_key: Buffer | null;
}

/** The team's key is wrapped with the secret of the link, so the server cannot substitute another one. */
function openInvitation({ team, team_key }: InvitationRow, secret: string): TeamSecrets {
  const teamKey = team_key && unwrapTeamKey(new Uint8Array(team_key), secret, team);
  if (!teamKey)
    throw new TeamError(
      'keys',
      "The server has not got the team's key for this link, or has another one. Nothing was joined. Ask for a new link.",
    );
  return { team, teamKey, device: makeDeviceKey() };
}

async function enter(client: Connection, machine: string, secrets: TeamSecrets | null): Promise<void> {
  if (!secrets) {
    await client.query('SELECT cairn.join_team($1, NULL, NULL)', [machine]);
    return;
  }
  const { publicKey } = secrets.device;
  const proof = proveDevice(secrets, await roleOf(client), publicKey);
  await client.query('SELECT cairn.join_team($1, $2, $3)', [
    ...[sealName(machine, secrets.teamKey), Buffer.from(publicKey), Buffer.from(proof)],
  ]);
}

/** Gives this machine a new password, and in an encrypted team a new key pair. The old ones become invalid at once. */
export function rotate(credentials: TeamCredentials, save: Save): Promise<TeamCredentials> {
  const secrets = readSecrets(credentials);
  return withConnection(credentials, async (client) => {
    await requireTeam(client);
    return inTransaction(client, async () => {
      if (!secrets) return setPassword(client, credentials, save);
      const fresh = { ...secrets, device: makeDeviceKey() };
      const sealed = await readSealedKeys(askOver(client), 'my_keys');
      const { publicKey } = fresh.device;
      const proof = proveDevice(fresh, await roleOf(client), publicKey);
      await client.query('SELECT cairn.replace_device_key($1, $2)', [
        ...[Buffer.from(publicKey), Buffer.from(proof)],
      ]);
      await putOwnKeys(askOver(client), resealKeys(sealed, secrets.device, fresh));
      return setPassword(client, { ...credentials, keys: storeSecrets(fresh) }, save);
    });
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
