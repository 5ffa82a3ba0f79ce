import {
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto';

/** An X25519 key pair. Keys of projects are sealed for it; the private part never leaves the machine. */
export interface DeviceKey {
  publicKey: Uint8Array;
  privateKey: Uint8Array;
}

/** What stands before the 32 bytes of an X25519 key in the forms that node reads (RFC 8410). */
const PRIVATE_PREFIX = Buffer.from('302e020100300506032b656e04220420', 'hex');
const PUBLIC_PREFIX = Buffer.from('302a300506032b656e032100', 'hex');
const KEY_BYTES = 32;

export function makeDeviceKey(): DeviceKey {
  const { privateKey } = generateKeyPairSync('x25519');
  return pairOf(privateKey.export({ format: 'der', type: 'pkcs8' }).subarray(-KEY_BYTES));
}

/** The secret of an invitation, or of a recovery code, becomes a key pair that anyone with it can make again. */
export function deriveDeviceKey(secret: Uint8Array | string): DeviceKey {
  return pairOf(Buffer.from(hkdfSync('sha256', Buffer.from(secret), '', 'cairn team device key', KEY_BYTES)));
}

/** From its private part. */
export function restoreDeviceKey(privateKey: Uint8Array): DeviceKey {
  return pairOf(privateKey);
}

export function makeInvitationSecret(): string {
  return randomBytes(KEY_BYTES).toString('base64url');
}

/** @returns null for a public key that leads to no secret: a hostile server could give one. */
export function agreeOnSecret(privateKey: Uint8Array, publicKey: Uint8Array): Uint8Array | null {
  try {
    return diffieHellman({ privateKey: privateObject(privateKey), publicKey: publicObject(publicKey) });
  } catch {
    return null;
  }
}

function pairOf(privateKey: Uint8Array): DeviceKey {
  const exported = createPublicKey(privateObject(privateKey)).export({ format: 'der', type: 'spki' });
  return { privateKey: new Uint8Array(privateKey), publicKey: new Uint8Array(exported.subarray(-KEY_BYTES)) };
}

function privateObject(key: Uint8Array): KeyObject {
  return createPrivateKey({ key: Buffer.concat([PRIVATE_PREFIX, key]), format: 'der', type: 'pkcs8' });
}

function publicObject(key: Uint8Array): KeyObject {
  return createPublicKey({ key: Buffer.concat([PUBLIC_PREFIX, key]), format: 'der', type: 'spki' });
}
