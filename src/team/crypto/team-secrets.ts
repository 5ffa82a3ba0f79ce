import { createHmac } from 'node:crypto';
import { type DeviceKey, restoreDeviceKey } from './device-key.ts';

/** The secrets that a machine of an encrypted team keeps with its login. The server never gets them. */
export interface TeamSecrets {
  team: string;
  /** Hides names of projects and members, and proves that a machine or a key is the team's own. Equal on all machines. */
  teamKey: Uint8Array;
  device: DeviceKey;
}

/** The same as text, for a login file, a keychain or a link. */
export interface StoredSecrets {
  teamKey: string;
  /** The private part. */
  device: string;
}

export function storeSecrets({ teamKey, device }: Pick<TeamSecrets, 'teamKey' | 'device'>): StoredSecrets {
  return { teamKey: encode(teamKey), device: encode(device.privateKey) };
}

/** @returns null for a login of a team without encryption. */
export function readSecrets(login: { team: string; keys?: StoredSecrets | undefined }): TeamSecrets | null {
  const { team, keys } = login;
  if (!keys) return null;
  return { team, teamKey: decode(keys.teamKey), device: restoreDeviceKey(decode(keys.device)) };
}

export function areStoredSecrets(value: unknown): value is StoredSecrets {
  if (typeof value !== 'object' || value === null) return false;
  const { teamKey, device } = value as Record<string, unknown>;
  return [teamKey, device].every((key) => typeof key === 'string' && decode(key).length === 32);
}

/**
 * Part of the digest of every change. Without it a server could test guesses of a project's address, and could forge
 * deletions, which have no sealed payload.
 */
export function makeDigestSecret(teamKey: Uint8Array): string {
  return createHmac('sha256', teamKey).update('cairn team digest').digest('base64url');
}

function encode(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64url');
}

function decode(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text, 'base64url'));
}
