import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import { xchacha20poly1305 } from '@noble/ciphers/chacha.js';
import { agreeOnSecret, type DeviceKey, makeDeviceKey } from './device-key.ts';
import { encodeFields } from './encode-fields.ts';

/** Identifies a key. */
export interface KeyPlace {
  team: string;
  project: number;
  keyEpoch: number;
}

/** A key as stored on the server, sealed for one machine. */
export interface SealedKey {
  project: number;
  keyEpoch: number;
  /** Equal on every machine that has the right key. */
  checkValue: Uint8Array;
  sealed: Uint8Array;
}

/** version | ephemeral public key | sealed key */
const VERSION = 1;
const KEY_BYTES = 32;
/** Each sealing key is used once, so its nonce may be constant. */
const NONCE = new Uint8Array(24);

export function makeKey(): Uint8Array {
  return new Uint8Array(randomBytes(KEY_BYTES));
}

/** Only the owner of the public key can open the result. @returns null if the public key is not usable. */
export function sealKey(key: Uint8Array, publicKey: Uint8Array, place: KeyPlace): Uint8Array | null {
  const single = makeDeviceKey();
  const sealing = deriveSealingKey(single.privateKey, publicKey, single.publicKey, publicKey, place);
  if (sealing === null) return null;
  const sealed = xchacha20poly1305(sealing, NONCE).encrypt(key);
  return Buffer.concat([Buffer.from([VERSION]), single.publicKey, sealed]);
}

/** @returns null if it was sealed for another machine or another place, or was changed. */
export function openKey(sealed: Uint8Array, device: DeviceKey, place: KeyPlace): Uint8Array | null {
  if (sealed[0] !== VERSION) return null;
  const single = sealed.slice(1, 1 + KEY_BYTES);
  const sealing = deriveSealingKey(device.privateKey, single, single, device.publicKey, place);
  if (sealing === null) return null;
  try {
    const key = xchacha20poly1305(sealing, NONCE).decrypt(sealed.slice(1 + KEY_BYTES));
    return key.length === KEY_BYTES ? key : null;
  } catch {
    return null;
  }
}

/** Only machines of the team can make it. Sealing a key needs no secret, so the server could do that, too. */
export function makeCheckValue(key: Uint8Array, teamKey: Uint8Array, place: KeyPlace): Uint8Array {
  const hmac = createHmac('sha256', teamKey).update('cairn team project key').update(encode(place));
  return new Uint8Array(hmac.update(key).digest());
}

export function isRightKey(
  key: Uint8Array,
  teamKey: Uint8Array,
  { checkValue, ...place }: KeyPlace & { checkValue: Uint8Array },
): boolean {
  const expected = makeCheckValue(key, teamKey, place);
  return expected.length === checkValue.length && timingSafeEqual(expected, checkValue);
}

function deriveSealingKey(
  privateKey: Uint8Array,
  publicKey: Uint8Array,
  single: Uint8Array,
  recipient: Uint8Array,
  place: KeyPlace,
): Uint8Array | null {
  const secret = agreeOnSecret(privateKey, publicKey);
  if (secret === null) return null;
  const salt = Buffer.concat([single, recipient]);
  const info = Buffer.concat([Buffer.from('cairn team sealed key'), encode(place)]);
  return new Uint8Array(hkdfSync('sha256', secret, salt, info, KEY_BYTES));
}

function encode({ team, project, keyEpoch }: KeyPlace): Buffer {
  return encodeFields([team, project, keyEpoch]);
}
