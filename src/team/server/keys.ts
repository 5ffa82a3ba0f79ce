import type { KeyServer } from '../crypto/keyring.ts';
import type { SealedKey } from '../crypto/sealed-key.ts';
import type { TeamCredentials } from './address.ts';
import { type Connection, withConnection } from './connect.ts';
import { requireTeam } from './require-team.ts';

export function withKeys<T>(credentials: TeamCredentials, work: (keys: KeyServer) => Promise<T>): Promise<T> {
  return withConnection(credentials, async (client) => {
    await requireTeam(client);
    return work(keysOver(client));
  });
}

function keysOver(client: Connection): KeyServer {
  return {
    async listOwn() {
      const { rows } = await client.query<{
        project_id: number;
        key_epoch: number;
        check_value: Buffer;
        sealed: Buffer | null;
        is_rotation_due: boolean;
      }>('SELECT * FROM cairn.my_keys()');
      return rows.map((row) => ({
        project: row.project_id,
        keyEpoch: row.key_epoch,
        checkValue: new Uint8Array(row.check_value),
        sealed: row.sealed && new Uint8Array(row.sealed),
        isRotationDue: row.is_rotation_due,
      }));
    },
    async listMissing() {
      const { rows } = await client.query<{
        project_id: number;
        key_epoch: number;
        role: string;
        public_key: Buffer;
      }>('SELECT * FROM cairn.missing_keys()');
      return rows.map(({ project_id, key_epoch, role, public_key }) => ({
        project: project_id,
        keyEpoch: key_epoch,
        role,
        publicKey: new Uint8Array(public_key),
      }));
    },
    async listReaders(project) {
      const { rows } = await client.query<{ role: string; public_key: Buffer }>(
        'SELECT * FROM cairn.readers_of($1)',
        [project],
      );
      return rows.map(({ role, public_key }) => ({ role, publicKey: new Uint8Array(public_key) }));
    },
    put: (key, boxes) => putKeys(client, key, boxes),
    async reject(project, keyEpoch) {
      await client.query('SELECT cairn.reject_key($1, $2)', [project, keyEpoch]);
    },
  };
}

/** Gives this machine the keys that the member's recovery code opens. @returns how many. */
export function recoverKeys(
  credentials: TeamCredentials,
  reseal: (keys: SealedKey[]) => SealedKey[],
): Promise<number> {
  return withConnection(credentials, async (client) => {
    await requireTeam(client);
    const keys = reseal(await readSealedKeys(client, 'recovery_keys'));
    await putOwnKeys(client, keys);
    return keys.length;
  });
}

export async function readSealedKeys(
  client: Connection,
  name: 'take_invitation_keys' | 'recovery_keys',
): Promise<SealedKey[]> {
  const { rows } = await client.query<{
    project_id: number;
    key_epoch: number;
    check_value: Buffer;
    sealed: Buffer;
  }>(`SELECT * FROM cairn.${name}()`);
  return rows.map((row) => ({
    project: row.project_id,
    keyEpoch: row.key_epoch,
    checkValue: new Uint8Array(row.check_value),
    sealed: new Uint8Array(row.sealed),
  }));
}

export async function putOwnKeys(client: Connection, keys: SealedKey[]): Promise<void> {
  const { rows } = await client.query<{ role: string }>('SELECT session_user AS role');
  const role = rows[0]?.role ?? '';
  for (const key of keys) await putKeys(client, key, [{ role, sealed: key.sealed }]);
}

async function putKeys(
  client: Connection,
  { project, keyEpoch, checkValue }: Omit<SealedKey, 'sealed'>,
  boxes: { role: string; sealed: Uint8Array }[],
): Promise<boolean> {
  const { rows } = await client.query<{ is_stored: boolean }>(
    'SELECT * FROM cairn.put_keys($1, $2, $3, $4, $5)',
    [
      project,
      keyEpoch,
      Buffer.from(checkValue),
      boxes.map(({ role }) => role),
      boxes.map(({ sealed }) => Buffer.from(sealed)),
    ],
  );
  return rows[0]?.is_stored === true;
}
