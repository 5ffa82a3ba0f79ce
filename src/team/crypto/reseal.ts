import type { DeviceKey } from './device-key.ts';
import { isRightKey, openKey, type SealedKey, sealKey } from './sealed-key.ts';
import type { TeamSecrets } from './team-secrets.ts';

/**
 * Seals keys again for this machine that were sealed for another key pair: of an invitation, a recovery code, or this
 * machine's old one. Keys that do not open, or that the team did not make, are omitted; other machines seal them again.
 */
export function resealKeys(
  keys: SealedKey[],
  opener: DeviceKey,
  { team, teamKey, device }: TeamSecrets,
): SealedKey[] {
  return keys.flatMap((own) => {
    const place = { team, project: own.project, keyEpoch: own.keyEpoch };
    const key = openKey(own.sealed, opener, place);
    if (key === null || !isRightKey(key, teamKey, { ...place, checkValue: own.checkValue })) return [];
    const sealed = sealKey(key, device.publicKey, place);
    return sealed === null ? [] : [{ ...own, sealed }];
  });
}
