import { formatCount } from '../../context/words.ts';
import { updateIndex } from '../../indexing/update-index.ts';
import { findRoots } from '../../team/sync/machine-paths.ts';
import { prepareRepair, relayLostItems } from '../../team/sync/repair.ts';
import { syncTeam } from '../../team/sync/sync.ts';
import { type Call, printJson } from '../support/command.ts';
import { syncOptions, withTeam } from './open.ts';
import { reportSync } from './sync.ts';

/** `cairn team repair` */
export function repairTeam(call: Call): Promise<number> {
  return withTeam(call, async ({ store, feed }) => {
    const options = { ...syncOptions(call, store), roots: findRoots() };
    const { retried, applied } = prepareRepair(options);
    const first = await syncTeam(options, feed);
    const relayed = first.problem ? 0 : await relayLostItems(options, feed);
    const last = relayed > 0 ? await syncTeam(options, feed) : first;
    updateIndex(store);
    const { aside } = store.countTeam();
    if (call.options.json) {
      printJson(call, { retried, applied, relayed, aside, problem: last.problem });
      return last.problem ? 1 : 0;
    }
    if (retried > 0)
      call.out(
        `Tried ${formatCount(retried, 'change')} again that had been set aside; ${applied} could be applied.`,
      );
    if (relayed > 0) call.out(`Sent ${formatCount(relayed, 'item')} that the server had lost.`);
    const code = reportSync(call, last);
    if (aside > 0)
      call.out(
        `${formatCount(aside, 'change')} still cannot be applied. A newer Cairn may know ${aside === 1 ? 'it' : 'them'}.`,
      );
    return code;
  });
}
