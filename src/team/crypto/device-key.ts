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

/** DER prefixes of the 32 bytes of an X25519 key, in the formats that node reads (RFC 8410). */
const PRIVATE_PREFIX = Buffer.from('302e020100300506032b656e04220420', 'hex');
const PUBLIC_PREFIX = Buffer.from('302a300506032b656e032100', 'hex');
const KEY_BYTES = 32;

export function makeDeviceKey(): DeviceKey {
  const { privateKey } = generateKeyPairSync('x25519');
  return pairOf(privateKey.export({ format: 'der', type: 'pkcs8' }).subarray(-KEY_BYTES));
}

/** Derives a key pair from the secret of an invitation or of a recovery code. The same secret gives the same pair. */
export function deriveDeviceKey(secret: Uint8Array | string): DeviceKey {
  return pairOf(Buffer.from(hkdfSync('sha256', Buffer.from(secret), '', 'cairn team device key', KEY_BYTES)));
}

/** Restores a key pair from its private part. */
export function restoreDeviceKey(privateKey: Uint8Array): DeviceKey {
  return pairOf(privateKey);
}

export function makeInvitationSecret(): string {
  return randomBytes(KEY_BYTES).toString('base64url');
}

/** @returns null for a public key that gives no secret, which a hostile server could send. */
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
