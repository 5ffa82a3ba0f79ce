import { randomBytes } from 'node:crypto';
import { xchacha20poly1305 } from '@noble/ciphers/chacha.js';
import { encodeFields } from './encode-fields.ts';
import { pad, unpad } from './padding.ts';

/** Where a payload belongs. It is sealed to this place: a server can neither move it nor replay an older version. */
export interface PayloadPlace {
  team: string;
  /** `ProjectHead.key`. */
  projectKey: string;
  item: string;
  aspect: string;
  hlc: string;
  origin: string;
  n: number;
}

export type OpenedPayload =
  | { outcome: 'opened'; plain: Uint8Array }
  /** This machine does not have the key of that epoch (yet). */
  | { outcome: 'no-key'; keyEpoch: number }
  /** Changed, moved, or not made by Cairn. */
  | { outcome: 'damaged' };

/** version | algorithm | key epoch | nonce | sealed text */
const VERSION = 1;
const XCHACHA20_POLY1305 = 1;
const HEADER_BYTES = 6;
const NONCE_BYTES = 24;

/** The result differs at each call. */
export function sealPayload(
  plain: Uint8Array,
  key: Uint8Array,
  keyEpoch: number,
  place: PayloadPlace,
): Uint8Array {
  const header = Buffer.from([VERSION, XCHACHA20_POLY1305, 0, 0, 0, 0]);
  header.writeUInt32BE(keyEpoch, 2);
  const nonce = randomBytes(NONCE_BYTES);
  const sealed = xchacha20poly1305(key, nonce, bind(header, place)).encrypt(pad(plain));
  return Buffer.concat([header, nonce, sealed]);
}

export function openPayload(
  envelope: Uint8Array,
  findKey: (keyEpoch: number) => Uint8Array | undefined,
  place: PayloadPlace,
): OpenedPayload {
  const bytes = Buffer.from(envelope.buffer, envelope.byteOffset, envelope.length);
  const header = bytes.subarray(0, HEADER_BYTES);
  const isOurs = header.length === HEADER_BYTES && header[0] === VERSION && header[1] === XCHACHA20_POLY1305;
  if (!isOurs) return { outcome: 'damaged' };
  const keyEpoch = header.readUInt32BE(2);
  const key = findKey(keyEpoch);
  if (key === undefined) return { outcome: 'no-key', keyEpoch };
  const nonce = bytes.subarray(HEADER_BYTES, HEADER_BYTES + NONCE_BYTES);
  const plain = decrypt(key, nonce, bind(header, place), bytes.subarray(HEADER_BYTES + NONCE_BYTES));
  return plain === null ? { outcome: 'damaged' } : { outcome: 'opened', plain };
}

function decrypt(
  key: Uint8Array,
  nonce: Uint8Array,
  bound: Uint8Array,
  sealed: Uint8Array,
): Uint8Array | null {
  try {
    return unpad(xchacha20poly1305(key, nonce, bound).decrypt(sealed));
  } catch {
    return null;
  }
}

function bind(
  header: Uint8Array,
  { team, projectKey, item, aspect, hlc, origin, n }: PayloadPlace,
): Uint8Array {
  return Buffer.concat([header, encodeFields([team, projectKey, item, aspect, hlc, origin, n])]);
}
