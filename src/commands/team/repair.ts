import { formatCount } from '../../context/words.ts';
import { updateIndex } from '../../indexing/update-index.ts';
import { repairTeam as repair } from '../../team/sync/repair.ts';
import { type Call, printJson } from '../support/command.ts';
import { syncOptions, withTeam } from './open.ts';
import { reportSync } from './sync.ts';

/** `cairn team repair` */
export function repairTeam(call: Call): Promise<number> {
  return withTeam(call, async ({ store, feed }) => {
    const { retried, applied, relayed, sync } = await repair(syncOptions(call, store), feed);
    updateIndex(store);
    const { aside } = store.countTeam();
    if (call.options.json) {
      printJson(call, { retried, applied, relayed, aside, problem: sync.problem });
      return sync.problem ? 1 : 0;
    }
    if (retried > 0)
      call.out(
        `Tried ${formatCount(retried, 'change')} again that had been set aside; ${applied} could be applied.`,
      );
    if (relayed > 0) call.out(`Sent ${formatCount(relayed, 'item')} that the server had lost.`);
    const code = reportSync(call, sync);
    if (aside > 0)
      call.out(
        `${formatCount(aside, 'change')} still cannot be applied. A newer Cairn may know ${aside === 1 ? 'it' : 'them'}.`,
      );
    return code;
  });
}
