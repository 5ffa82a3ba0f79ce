import { createHash, randomBytes } from 'node:crypto';

/** Without letters that look like digits (Crockford's base 32). */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const SECRET_BYTES = 18;
const CHECK_BYTES = 2;
const BITS = 5;

/** Opens the keys of the team when all machines are lost. People write it down and type it in. */
export interface RecoveryCode {
  /** Eight groups of four. */
  text: string;
  /** For `deriveDeviceKey`. */
  secret: Uint8Array;
}

export function makeRecoveryCode(): RecoveryCode {
  const secret = randomBytes(SECRET_BYTES);
  const characters = toBase32(Buffer.concat([secret, checkOf(secret)]));
  return { text: characters.match(/.{4}/g)?.join('-') ?? '', secret: new Uint8Array(secret) };
}

/** Accepts lower case, other separators and look-alike characters. @returns null for a code with a typing error. */
export function readRecoveryCode(text: string): Uint8Array | null {
  const characters = text.toUpperCase().replace(/[\s-]/g, '').replaceAll('O', '0').replace(/[IL]/g, '1');
  const bytes = fromBase32(characters);
  if (bytes?.length !== SECRET_BYTES + CHECK_BYTES) return null;
  const secret = bytes.subarray(0, SECRET_BYTES);
  return checkOf(secret).equals(bytes.subarray(SECRET_BYTES)) ? new Uint8Array(secret) : null;
}

function checkOf(secret: Uint8Array): Buffer {
  return createHash('sha256').update('cairn recovery code').update(secret).digest().subarray(0, CHECK_BYTES);
}

function toBase32(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{5}/g) ?? []).map((group) => ALPHABET[Number.parseInt(group, 2)]).join('');
}

function fromBase32(characters: string): Buffer | null {
  const values = [...characters].map((character) => ALPHABET.indexOf(character));
  if (values.includes(-1)) return null;
  const bits = values.map((value) => value.toString(2).padStart(BITS, '0')).join('');
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}
