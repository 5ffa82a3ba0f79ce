import type { TeamCredentials } from './address.ts';
import { type Connection, withConnection } from './connect.ts';
import { requireTeam } from './require-team.ts';

/** The project number under which the team's own key is kept. */
export const TEAM_KEY_PROJECT = 0;

/** A key as the server has it: sealed for one machine. */
export interface SealedKey {
  project: number;
  keyEpoch: number;
  /** The same for everyone who has the right key. */
  checkValue: Uint8Array;
  sealed: Uint8Array;
}

/** `sealed` is null until a machine that has the key seals it for this one. */
export interface OwnKey extends Omit<SealedKey, 'sealed'> {
  sealed: Uint8Array | null;
  /** A machine lost access: the next epoch is due. */
  isRotationDue: boolean;
}

export interface Reader {
  role: string;
  publicKey: Uint8Array;
}

export interface MissingKey extends Reader {
  project: number;
  keyEpoch: number;
}

/** The keys of an encrypted team, over one connection. */
export interface TeamKeys {
  listOwn(): Promise<OwnKey[]>;
  /** Machines that may read a project and do not have its key. */
  listMissing(): Promise<MissingKey[]>;
  /** Machines to seal a new epoch for. */
  listReaders(project: number): Promise<Reader[]>;
  /** @returns false if the epoch exists with another key: read the keys again. */
  put(key: Omit<SealedKey, 'sealed'>, boxes: { role: string; sealed: Uint8Array }[]): Promise<boolean>;
  /** A key that does not open, or not to the right one, is sealed again by another machine. */
  reject(project: number, keyEpoch: number): Promise<void>;
}

export function withKeys<T>(credentials: TeamCredentials, work: (keys: TeamKeys) => Promise<T>): Promise<T> {
  return withConnection(credentials, async (client) => {
    await requireTeam(client);
    return work(keysOver(client));
  });
}

function keysOver(client: Connection): TeamKeys {
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

/** Also part of the transaction that joins. */
export async function putKeys(
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
