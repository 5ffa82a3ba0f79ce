import { type DeviceKey, deriveDeviceKey } from './device-key.ts';
import { isRightKey, openKey, type SealedKey, sealKey } from './sealed-key.ts';

/**
 * For `join`, and for `recover`: what was sealed for the secret of an invitation or a recovery code, sealed for this
 * machine. Keys that do not open are left out: other machines seal them again.
 */
export function resealKeys(
  keys: SealedKey[],
  secret: Uint8Array | string,
  device: DeviceKey,
  team: string,
): SealedKey[] {
  const opener = deriveDeviceKey(secret);
  return keys.flatMap((own) => {
    const place = { team, project: own.project, keyEpoch: own.keyEpoch };
    const key = openKey(own.sealed, opener, place);
    if (key === null || !isRightKey(key, own.checkValue, place)) return [];
    const sealed = sealKey(key, device.publicKey, place);
    return sealed === null ? [] : [{ ...own, sealed }];
  });
}
