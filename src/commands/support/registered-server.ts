import { installers } from '../../agents/install/installers.ts';
import { CONFIG_LIMIT, readRegularText } from '../../platform/read-regular-file.ts';
import type { Call } from './command.ts';
import { findInstallPlace } from './install-target.ts';

/** Whether an agent's own configuration starts Cairn's server. */
export function isServerRegistered(call: Call): boolean {
  const places = [false, true].map((forProject) => findInstallPlace(call, forProject));
  const parts = places.flatMap((place) => installers.flatMap((installer) => installer.listParts(place)));
  return parts.some((part) => {
    if (!part.server) return false;
    try {
      const state = part.inspect(readRegularText(part.path, CONFIG_LIMIT));
      return state === 'installed' || state === 'outdated';
    } catch {
      return false;
    }
  });
}
