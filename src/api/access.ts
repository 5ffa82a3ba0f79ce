import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Paths } from '../platform/paths.ts';
import { createStateNote } from '../platform/state-note.ts';

const KEY_LASTS_MS = 30 * 86_400_000;
const KEY = /^cairn1\.([\w-]{12})\.(\d{1,15})\.([\w-]{43})$/;

/** Kept in a file that only its owner can read. The token never reaches a browser; the secret signs keys. */
interface Access {
  token: string;
  secret: string;
}

const note = createStateNote<Access>('api-access.json');

/** Created at first use. Read at every request: revoking keys does not need the running worker. */
export function readAccess(paths: Paths): Access {
  const known = note.read(paths);
  if (known?.token && known.secret) return known;
  const access = { token: newSecret(), secret: newSecret() };
  note.write(paths, access);
  return access;
}

/** Invalidates every key. */
export function revokeKeys(paths: Paths): void {
  note.write(paths, { ...readAccess(paths), secret: newSecret() });
}

/** Keys are signed, not stored: a key stays valid when the worker restarts. */
export function createKey({ secret }: Access, now: number): { key: string; expiresAt: number } {
  const expiresAt = now + KEY_LASTS_MS;
  const signed = `cairn1.${randomBytes(9).toString('base64url')}.${expiresAt}`;
  return { key: `${signed}.${sign(secret, signed)}`, expiresAt };
}

export type KeyCheck = { ok: true; id: string } | { ok: false; isExpired: boolean };

export function checkKey({ secret }: Access, key: string, now: number): KeyCheck {
  const [, id, expiresAt, signature] = KEY.exec(key) ?? [];
  if (!id || !signature || !isEqual(sign(secret, `cairn1.${id}.${expiresAt}`), signature))
    return { ok: false, isExpired: false };
  return Number(expiresAt) > now ? { ok: true, id } : { ok: false, isExpired: true };
}

export function isToken({ token }: Access, candidate: string): boolean {
  return isEqual(token, candidate);
}

function sign(secret: string, text: string): string {
  return createHmac('sha256', secret).update(text).digest('base64url');
}

function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** Compares digests, which have the same length, to make the duration independent of the content. */
function isEqual(one: string, other: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}
