import { deriveDeviceKey } from '../crypto/device-key.ts';
import { openName } from '../crypto/names.ts';
import { resealKeys } from '../crypto/reseal.ts';
import { readSecrets } from '../crypto/team-secrets.ts';
import { unwrapTeamKey } from '../crypto/wrapped-key.ts';
import { TeamError } from '../feed.ts';
import { parseServerUrl, type TeamCredentials } from './address.ts';
import { openChannel } from './channel.ts';
import { withConnection } from './connect.ts';
import type { AdminAccess } from './create.ts';
import { invite } from './invite.ts';
import { type JoinRequest, join } from './join.ts';
import { putOwnKeys, readSealedKeys } from './keys.ts';
import { requireTeam } from './require-team.ts';
import { actAsOwner } from './schema/migrate.ts';
import { inTransaction } from './transaction.ts';

export interface Recovered {
  credentials: TeamCredentials;
  /** How many keys of projects the code opened. */
  keys: number;
}

/** For an encrypted team whose machines are all lost: joins as another machine of the member who has the code. */
export async function recover(
  access: AdminAccess,
  secret: Uint8Array,
  request: JoinRequest,
): Promise<Recovered> {
  const { name, ...key } = await findRecovery(access, secret);
  const link = await invite(access, { ...{ name, key, isReadOnly: false, projects: null } });
  const credentials = await join(link, request);
  const secrets = readSecrets(credentials);
  const channel = openChannel(credentials);
  try {
    const sealed = await readSealedKeys(channel, 'recovery_keys');
    const keys = secrets ? resealKeys(sealed, deriveDeviceKey(secret), secrets) : [];
    await putOwnKeys(channel, keys);
    return { credentials, keys: keys.length };
  } finally {
    await channel.close();
  }
}

async function findRecovery(
  access: AdminAccess,
  secret: Uint8Array,
): Promise<{ team: string; teamKey: Uint8Array; name: string }> {
  const rows = await withConnection(parseServerUrl(access.url, access.ca), async (client) => {
    await requireTeam(client);
    return inTransaction(client, async () => {
      await actAsOwner(client);
      const found = await client.query<{ team: string; label: string; team_key: Buffer }>(
        `SELECT t.team, m.label, d.team_key FROM cairn.meta t, cairn.device d JOIN cairn.member m ON m.id = d.member_id
         WHERE d.is_recovery AND d.revoked_at IS NULL AND d.team_key IS NOT NULL`,
      );
      return found.rows;
    });
  });
  for (const { team, label, team_key } of rows) {
    const teamKey = unwrapTeamKey(new Uint8Array(team_key), secret, team);
    const name = teamKey && openName(label, teamKey);
    if (teamKey && name !== null) return { team, teamKey, name };
  }
  throw new TeamError(
    'keys',
    'This recovery code opens nothing here: it belongs to another team, or was revoked.',
  );
}
