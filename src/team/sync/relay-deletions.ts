import type { TeamProject } from '../../store/types/team.ts';
import { openLedger, type TeamOptions } from './ledger.ts';

/**
 * Runs in the transaction in which a feed was read to its end. A server that was restored from a backup has texts again
 * that others had deleted. Their machines may be gone, so each machine that knows a deletion sends it again in its own
 * name. @returns how many.
 */
export function relayLostDeletions(options: TeamOptions, { projectId }: TeamProject): number {
  const lost = options.store.listLostDeletions(projectId);
  const ledger = lost.length > 0 ? openLedger(options) : null;
  if (!ledger) return 0;
  for (const item of lost) ledger.recordDeletion(item);
  ledger.close();
  return lost.length;
}
