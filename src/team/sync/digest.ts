import { createHash } from 'node:crypto';
import type { OutgoingChange } from '../feed.ts';

/** Without tokens, because pulled changes have none. */
export type DigestedChange = Omit<OutgoingChange, 'digest' | 'tokens'> & { origin: string };

/**
 * SHA-256 over all fields, each with its length, which makes the bytes unambiguous. It covers the payload before
 * sealing, because a retry seals it to different bytes; the payload has a salt.
 */
export function digestChange(digestKey: string, change: DigestedChange): Uint8Array {
  const { origin, n, item, aspect, hlc, keyEpoch, payload } = change;
  const hash = createHash('sha256');
  for (const field of [digestKey, origin, String(n), item, aspect, hlc, String(keyEpoch)]) {
    const bytes = Buffer.from(field);
    hash.update(`${bytes.length}:`).update(bytes);
  }
  if (payload) hash.update(`${payload.length}:`).update(payload);
  return hash.digest();
}

export function equalBytes(one: Uint8Array | null, other: Uint8Array | null): boolean {
  if (!one || !other) return one === other;
  return Buffer.compare(one, other) === 0;
}
