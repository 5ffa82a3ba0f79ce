import type { DeviceKey } from './device-key.ts';
import { isRightKey, makeCheckValue, makeKey, openKey, type SealedKey, sealKey } from './sealed-key.ts';

/** What a keyring needs of the server; server/keys.ts has it. Project 0 is the team itself. */
export interface KeyServer {
  listOwn(): Promise<OwnKey[]>;
  listMissing(): Promise<(KeyReader & { project: number; keyEpoch: number })[]>;
  listReaders(project: number): Promise<KeyReader[]>;
  /** @returns false if the epoch exists with another key. */
  put(key: Omit<SealedKey, 'sealed'>, boxes: { role: string; sealed: Uint8Array }[]): Promise<boolean>;
  reject(project: number, keyEpoch: number): Promise<void>;
}

export interface KeyReader {
  role: string;
  publicKey: Uint8Array;
}

export interface OwnKey extends Omit<SealedKey, 'sealed'> {
  /** Null until a machine that has the key seals it for this one. */
  sealed: Uint8Array | null;
  isRotationDue: boolean;
}

/** The keys that a machine can open. */
export interface Keyring {
  /** Undefined until a machine that has it seals it for this one: try again after the next sync. */
  teamKey: Uint8Array | undefined;
  find(project: number, keyEpoch: number): Uint8Array | undefined;
  /** What new changes are sealed with; undefined while this machine has not got the newest. */
  newest(project: number): { key: Uint8Array; keyEpoch: number } | undefined;
  /** How many keys this machine may have and does not. */
  missing: number;
}

const TEAM = 0;
/** Another machine may make the same epoch at the same time; then its key is used. */
const ATTEMPTS = 3;

/**
 * Opens this machine's keys and does what is due: rejects keys that are wrong, seals for machines that have none, and
 * makes the next epoch of projects whose readers changed. Part of every sync of an encrypted team.
 */
export async function refreshKeyring(server: KeyServer, device: DeviceKey, team: string): Promise<Keyring> {
  let own = await openOwn(server, device, team);
  for (const { project, keyEpoch } of own.rotationsDue) await makeEpoch(server, team, project, keyEpoch + 1);
  if (own.rotationsDue.length > 0) own = await openOwn(server, device, team);
  for (const { project, keyEpoch, ...reader } of await server.listMissing()) {
    const key = own.ring.find(project, keyEpoch);
    if (key !== undefined) await put(server, key, { team, project, keyEpoch }, [reader]);
  }
  return own.ring;
}

/** The first key of the team (`createTeam`), or of a project (`openProject`); the one that exists, if there is one. */
export async function ensureKey(
  server: KeyServer,
  device: DeviceKey,
  team: string,
  project: number = TEAM,
): Promise<Keyring> {
  for (let attempt = 1; ; attempt++) {
    const { ring, known } = await openOwn(server, device, team);
    if (known.has(project) || attempt === ATTEMPTS) return ring;
    await makeEpoch(server, team, project, 1);
  }
}

interface OwnKeys {
  ring: Keyring;
  /** Projects that have a key, whether or not this machine has it. */
  known: Set<number>;
  /** With the newest epoch, which this machine has. */
  rotationsDue: { project: number; keyEpoch: number }[];
}

async function openOwn(server: KeyServer, device: DeviceKey, team: string): Promise<OwnKeys> {
  const keys = new Map<string, Uint8Array>();
  const newest = new Map<number, OwnKey>();
  const listed = await server.listOwn();
  for (const own of listed) {
    const { project, keyEpoch, checkValue, sealed } = own;
    if (keyEpoch > (newest.get(project)?.keyEpoch ?? 0)) newest.set(project, own);
    if (sealed === null) continue;
    const place = { team, project, keyEpoch };
    const key = openKey(sealed, device, place);
    if (key !== null && isRightKey(key, checkValue, place)) keys.set(nameOf(place), key);
    else await server.reject(project, keyEpoch);
  }
  const find = (project: number, keyEpoch: number) => keys.get(nameOf({ project, keyEpoch }));
  const ring: Keyring = {
    teamKey: find(TEAM, 1),
    find,
    newest(project) {
      const keyEpoch = newest.get(project)?.keyEpoch ?? 0;
      const key = find(project, keyEpoch);
      return key && { key, keyEpoch };
    },
    missing: listed.length - keys.size,
  };
  const rotationsDue = [...newest.values()].filter(
    ({ project, isRotationDue }) => isRotationDue && ring.newest(project) !== undefined,
  );
  return { ring, known: new Set(newest.keys()), rotationsDue };
}

async function makeEpoch(server: KeyServer, team: string, project: number, keyEpoch: number): Promise<void> {
  await put(server, makeKey(), { team, project, keyEpoch }, await server.listReaders(project));
}

async function put(
  server: KeyServer,
  key: Uint8Array,
  place: { team: string; project: number; keyEpoch: number },
  readers: KeyReader[],
): Promise<void> {
  const boxes = readers.flatMap(({ role, publicKey }) => {
    const sealed = sealKey(key, publicKey, place);
    return sealed === null ? [] : [{ role, sealed }];
  });
  await server.put({ ...place, checkValue: makeCheckValue(key, place) }, boxes);
}

function nameOf({ project, keyEpoch }: { project: number; keyEpoch: number }): string {
  return `${project}.${keyEpoch}`;
}
