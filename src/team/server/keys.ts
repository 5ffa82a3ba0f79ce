import type { KeyServer } from '../crypto/keyring.ts';
import type { SealedKey } from '../crypto/sealed-key.ts';
import type { Channel } from './channel.ts';

type Ask = Pick<Channel, 'ask'>;

export function keysOver({ ask }: Ask): KeyServer {
  return {
    async listOwn() {
      const rows = await ask<KeyRow & { is_rotation_due: boolean }>('SELECT * FROM cairn.my_keys()', []);
      return rows.map((row) => ({ ...readPlace(row), ...readKey(row), isRotationDue: row.is_rotation_due }));
    },
    async listMissing() {
      const rows = await ask<DeviceRow & PlaceRow>('SELECT * FROM cairn.missing_keys()', []);
      return rows.map((row) => ({ ...readPlace(row), ...readDevice(row) }));
    },
    async listReaders(project) {
      return (await ask<DeviceRow>('SELECT * FROM cairn.readers_of($1)', [project])).map(readDevice);
    },
    async put({ project, keyEpoch, checkValue }, boxes) {
      const rows = await ask<{ is_stored: boolean }>('SELECT * FROM cairn.put_keys($1, $2, $3, $4, $5)', [
        ...[project, keyEpoch, Buffer.from(checkValue)],
        boxes.map(({ role }) => role),
        boxes.map(({ sealed }) => Buffer.from(sealed)),
      ]);
      return rows[0]?.is_stored === true;
    },
    async reject(project, keyEpoch) {
      await ask('SELECT cairn.reject_key($1, $2)', [project, keyEpoch]);
    },
  };
}

/** Reads keys sealed for this machine, for its invitation, or for the recovery code of its member. */
export async function readSealedKeys(
  { ask }: Ask,
  source: 'my_keys' | 'take_invitation_keys' | 'recovery_keys',
): Promise<SealedKey[]> {
  const rows = await ask<KeyRow>(`SELECT * FROM cairn.${source}()`, []);
  return rows.flatMap((row) => {
    const { checkValue, sealed } = readKey(row);
    return sealed === null ? [] : [{ ...readPlace(row), checkValue, sealed }];
  });
}

export async function putOwnKeys({ ask }: Ask, keys: SealedKey[]): Promise<void> {
  const [row] = await ask<{ role: string }>('SELECT session_user AS role', []);
  const server = keysOver({ ask });
  for (const key of keys) await server.put(key, [{ role: row?.role ?? '', sealed: key.sealed }]);
}

interface PlaceRow {
  project_id: number;
  key_epoch: number;
}

interface KeyRow extends PlaceRow {
  check_value: Buffer;
  sealed: Buffer | null;
}

interface DeviceRow {
  role: string;
  public_key: Buffer;
  proof: Buffer | null;
}

function readPlace({ project_id, key_epoch }: PlaceRow) {
  return { project: project_id, keyEpoch: key_epoch };
}

function readKey({ check_value, sealed }: KeyRow) {
  return { checkValue: new Uint8Array(check_value), sealed: sealed && new Uint8Array(sealed) };
}

function readDevice({ role, public_key, proof }: DeviceRow) {
  return { role, publicKey: new Uint8Array(public_key), proof: proof && new Uint8Array(proof) };
}
