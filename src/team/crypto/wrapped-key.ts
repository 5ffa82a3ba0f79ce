import { hkdfSync, randomBytes } from 'node:crypto';
import { xchacha20poly1305 } from '@noble/ciphers/chacha.js';
import { encodeFields } from './encode-fields.ts';

const NONCE_BYTES = 24;
const KEY_BYTES = 32;

/**
 * Encrypts the team's key with the secret of an invitation or a recovery code. It is not sealed for a public key: the
 * server knows that, and could seal a different key for it.
 */
export function wrapTeamKey(teamKey: Uint8Array, secret: Uint8Array | string, team: string): Uint8Array {
  const nonce = randomBytes(NONCE_BYTES);
  return Buffer.concat([nonce, cipher(secret, nonce, team).encrypt(teamKey)]);
}

/** @returns null if it was wrapped with another secret, for another team, or was changed. */
export function unwrapTeamKey(
  wrapped: Uint8Array,
  secret: Uint8Array | string,
  team: string,
): Uint8Array | null {
  try {
    const nonce = wrapped.slice(0, NONCE_BYTES);
    const key = cipher(secret, nonce, team).decrypt(wrapped.slice(NONCE_BYTES));
    return key.length === KEY_BYTES ? key : null;
  } catch {
    return null;
  }
}

function cipher(secret: Uint8Array | string, nonce: Uint8Array, team: string) {
  const key = hkdfSync('sha256', Buffer.from(secret), '', 'cairn team wrapped key', KEY_BYTES);
  return xchacha20poly1305(new Uint8Array(key), nonce, encodeFields([team]));
}
