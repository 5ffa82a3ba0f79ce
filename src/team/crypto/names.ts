import { createHmac, hkdfSync } from 'node:crypto';
import { xchacha20poly1305 } from '@noble/ciphers/chacha.js';
import { TeamError } from '../feed.ts';

const NONCE_BYTES = 24;
const KEY_BYTES = 32;
/** Names are padded to multiples of this, which hides their length. */
const STEP = 32;
/** A sealed name of this length still fits into the server's column. */
const LONGEST = 95;

/**
 * Seals the name of a member or a machine. The same name always gives the same text, and the server can find a member
 * whose name it cannot read: the nonce is derived from the name.
 * @throws TeamError for a name that is too long
 */
export function sealName(name: string, teamKey: Uint8Array): string {
  const plain = Buffer.from(name);
  if (plain.length > LONGEST)
    throw new TeamError('server', `The name ${name} is too long: ${LONGEST} bytes are possible.`);
  const padded = Buffer.alloc(Math.ceil((plain.length + 1) / STEP) * STEP);
  padded[0] = plain.length;
  padded.set(plain, 1);
  const nonce = createHmac('sha256', deriveKey(teamKey, 'nonce'))
    .update(plain)
    .digest()
    .subarray(0, NONCE_BYTES);
  const sealed = xchacha20poly1305(deriveKey(teamKey, 'seal'), nonce).encrypt(padded);
  return Buffer.concat([nonce, sealed]).toString('base64url');
}

/** A name to show to people. One that the server has changed cannot be opened. */
export function showName(text: string, teamKey: Uint8Array): string {
  return openName(text, teamKey) ?? '(unknown)';
}

/** @returns null if the text is not a sealed name of this team. */
export function openName(text: string, teamKey: Uint8Array): string | null {
  const bytes = new Uint8Array(Buffer.from(text, 'base64url'));
  try {
    const cipher = xchacha20poly1305(deriveKey(teamKey, 'seal'), bytes.slice(0, NONCE_BYTES));
    const padded = Buffer.from(cipher.decrypt(bytes.slice(NONCE_BYTES)));
    return padded.subarray(1, 1 + (padded[0] ?? 0)).toString();
  } catch {
    return null;
  }
}

function deriveKey(teamKey: Uint8Array, use: 'nonce' | 'seal'): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', teamKey, '', `cairn team names ${use}`, KEY_BYTES));
}
