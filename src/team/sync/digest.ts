import { createHash } from 'node:crypto';
import type { OutgoingChange } from '../feed.ts';

/** Tokens are left out: what was pulled has none. */
export type DigestedChange = Omit<OutgoingChange, 'digest' | 'tokens'> & { origin: string };

/**
 * SHA-256 over all fields, each with its length, so that no two changes have the same bytes. Of what was sealed it
 * covers the open payload, which has a salt: a retry seals it to other bytes.
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
