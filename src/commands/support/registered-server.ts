import { installers } from '../../agents/install/installers.ts';
import { CONFIG_LIMIT, readRegularText } from '../../platform/read-regular-file.ts';
import type { Call } from './command.ts';
import { findInstallPlace } from './install-target.ts';

/** Whether the agent's own configuration starts Cairn's server. */
export function isServerRegistered(call: Call, agent: string): boolean {
  const places = [false, true].map((forProject) => findInstallPlace(call, forProject));
  const installer = installers.find(({ id }) => id === agent);
  const parts = places.flatMap((place) => installer?.listParts(place) ?? []);
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
