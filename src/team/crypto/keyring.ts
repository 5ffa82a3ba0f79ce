import { isProven, type ListedDevice } from './device-proof.ts';
import { isRightKey, makeCheckValue, makeKey, openKey, type SealedKey, sealKey } from './sealed-key.ts';
import type { TeamSecrets } from './team-secrets.ts';

/** What a keyring needs from the server; server/keys.ts implements it. */
export interface KeyServer {
  listOwn(): Promise<OwnKey[]>;
  /** Machines and invitations that may read a project, but lack the key of an epoch. */
  listMissing(): Promise<(ListedDevice & { project: number; keyEpoch: number })[]>;
  listReaders(project: number): Promise<ListedDevice[]>;
  /** @returns false if the epoch exists with another key. */
  put(key: Omit<SealedKey, 'sealed'>, boxes: { role: string; sealed: Uint8Array }[]): Promise<boolean>;
  reject(project: number, keyEpoch: number): Promise<void>;
}

export interface OwnKey extends Omit<SealedKey, 'sealed'> {
  /** Null until a machine that has the key seals it for this one. */
  sealed: Uint8Array | null;
  isRotationDue: boolean;
}

/** The keys that a machine can open. */
export interface Keyring {
  find(project: number, keyEpoch: number): Uint8Array | undefined;
  /** The key for new changes; undefined while this machine does not have the newest epoch. */
  newest(project: number): { key: Uint8Array; keyEpoch: number } | undefined;
  /** Whether this machine has any key of a project. */
  hasKeyOf(project: number): boolean;
  /** Projects for which the server sent a key that the team did not make. */
  foreignKeys: number[];
  /** Machines that the server lists, but no machine of the team has admitted. They get no keys. */
  strangers: string[];
}

/** Another machine may make the same epoch at the same time. Then its key is used. */
const ATTEMPTS = 3;

/**
 * Opens this machine's keys, rejects wrong ones, seals keys for machines that lack them, and makes the next epoch of
 * projects whose readers changed. Part of every sync of an encrypted team.
 */
export async function refreshKeyring(server: KeyServer, secrets: TeamSecrets): Promise<Keyring> {
  let own = await openOwn(server, secrets);
  for (const { project, keyEpoch } of own.rotationsDue)
    await makeEpoch(server, secrets, { project, keyEpoch: keyEpoch + 1 });
  if (own.rotationsDue.length > 0) {
    const { foreignKeys } = own.ring;
    own = await openOwn(server, secrets);
    own.ring.foreignKeys.push(...foreignKeys);
  }
  const missing = await server.listMissing();
  for (const [place, readers] of groupByPlace(missing.filter((reader) => isProven(secrets, reader)))) {
    const key = own.ring.find(place.project, place.keyEpoch);
    if (key !== undefined) await put(server, secrets, { ...place, key }, readers);
  }
  const strangers = missing.filter((reader) => !isProven(secrets, reader)).map(({ role }) => role);
  return { ...own.ring, strangers: [...new Set(strangers)] };
}

/** Makes the first key of a project, unless it has one. */
export async function ensureKey(server: KeyServer, secrets: TeamSecrets, project: number): Promise<Keyring> {
  for (let attempt = 1; ; attempt++) {
    const { ring, known } = await openOwn(server, secrets);
    if (known.has(project) || attempt === ATTEMPTS) return ring;
    await makeEpoch(server, secrets, { project, keyEpoch: 1 });
  }
}

interface OwnKeys {
  ring: Keyring;
  /** Projects that have a key, whether or not this machine has it. */
  known: Set<number>;
  /** Projects that need a new key, with their newest epoch. */
  rotationsDue: { project: number; keyEpoch: number }[];
}

async function openOwn(server: KeyServer, secrets: TeamSecrets): Promise<OwnKeys> {
  const { team, teamKey, device } = secrets;
  const keys = new Map<string, Uint8Array>();
  const newest = new Map<number, OwnKey>();
  const foreignKeys: number[] = [];
  for (const own of await server.listOwn()) {
    const { project, keyEpoch, checkValue, sealed } = own;
    if (keyEpoch > (newest.get(project)?.keyEpoch ?? 0)) newest.set(project, own);
    if (sealed === null) continue;
    const place = { team, project, keyEpoch };
    const key = openKey(sealed, device, place);
    if (key !== null && isRightKey(key, teamKey, { ...place, checkValue })) {
      keys.set(nameOf(place), key);
      continue;
    }
    // A key that does not open is not foreign: it was sealed for the invitation while this machine joined.
    if (key !== null) foreignKeys.push(project);
    await server.reject(project, keyEpoch);
  }
  const find = (project: number, keyEpoch: number) => keys.get(nameOf({ project, keyEpoch }));
  const ring: Keyring = {
    find,
    newest(project) {
      const keyEpoch = newest.get(project)?.keyEpoch ?? 0;
      const key = find(project, keyEpoch);
      return key && { key, keyEpoch };
    },
    hasKeyOf: (project) => [...keys.keys()].some((name) => name.startsWith(`${project}.`)),
    ...{ foreignKeys, strangers: [] },
  };
  // Any key of the project suffices: the maker of the newest one may have sealed it for no other machine.
  const rotationsDue = [...newest.values()].filter(
    ({ project, isRotationDue }) => isRotationDue && ring.hasKeyOf(project),
  );
  return { ring, known: new Set(newest.keys()), rotationsDue };
}

interface Place {
  project: number;
  keyEpoch: number;
}

async function makeEpoch(server: KeyServer, secrets: TeamSecrets, place: Place): Promise<void> {
  const readers = await server.listReaders(place.project);
  const proven = readers.filter((reader) => isProven(secrets, reader));
  await put(server, secrets, { ...place, key: makeKey() }, proven);
}

async function put(
  server: KeyServer,
  { team, teamKey }: TeamSecrets,
  { key, project, keyEpoch }: Place & { key: Uint8Array },
  readers: ListedDevice[],
): Promise<void> {
  const place = { team, project, keyEpoch };
  const boxes = readers.flatMap(({ role, publicKey }) => {
    const sealed = sealKey(key, publicKey, place);
    return sealed === null ? [] : [{ role, sealed }];
  });
  await server.put({ project, keyEpoch, checkValue: makeCheckValue(key, teamKey, place) }, boxes);
}

function groupByPlace<T extends Place>(readers: T[]): [Place, T[]][] {
  const groups = new Map<string, [Place, T[]]>();
  for (const reader of readers) {
    const group = groups.get(nameOf(reader));
    if (group) group[1].push(reader);
    else groups.set(nameOf(reader), [reader, [reader]]);
  }
  return [...groups.values()];
}

function nameOf({ project, keyEpoch }: Place): string {
  return `${project}.${keyEpoch}`;
}
