import { createHmac, timingSafeEqual } from 'node:crypto';
import { encodeFields } from './encode-fields.ts';

/** A machine or a pending invitation, as the server lists it. */
export interface ListedDevice {
  role: string;
  publicKey: Uint8Array;
  /** Null if it has none. */
  proof: Uint8Array | null;
}

type Prover = { team: string; teamKey: Uint8Array };

/** Proves that a holder of the team's key admitted this machine, so a server cannot add its own. */
export function proveDevice({ team, teamKey }: Prover, role: string, publicKey: Uint8Array): Uint8Array {
  const hmac = createHmac('sha256', teamKey).update('cairn team device');
  return new Uint8Array(
    hmac
      .update(encodeFields([team, role]))
      .update(publicKey)
      .digest(),
  );
}

export function isProven(prover: Prover, { role, publicKey, proof }: ListedDevice): boolean {
  const expected = proveDevice(prover, role, publicKey);
  return proof?.length === expected.length && timingSafeEqual(expected, proof);
}
