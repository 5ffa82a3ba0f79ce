import { formatCount } from '../../context/words.ts';
import { updateIndex } from '../../indexing/update-index.ts';
import { withCairnCommand } from '../../platform/cairn-command.ts';
import type { TeamErrorReason } from '../../team/feed.ts';
import { type SyncResult, syncTeam } from '../../team/sync/sync.ts';
import { type Call, printJson } from '../support/command.ts';
import { describeTeamError, syncOptions, withTeam } from './open.ts';

/** `cairn team sync` */
export function syncNow(call: Call): Promise<number> {
  return withTeam(call, async ({ store, feed }) => {
    const result = await syncTeam(syncOptions(call, store), feed);
    updateIndex(store);
    return reportSync(call, result);
  });
}

export function reportSync(call: Call, result: SyncResult): number {
  if (call.options.json) printJson(call, result);
  else call.out(describeSync(result));
  const { problem } = result;
  if (problem && !call.options.json)
    call.err(withCairnCommand(describeTeamError({ ...problem, reason: problem.reason as TeamErrorReason })));
  return problem ? 1 : 0;
}

export function describeSync({ pulled, pushed, forgotten, relayed, aside }: SyncResult): string {
  const parts = [
    `Received ${formatCount(pulled, 'change')}, sent ${formatCount(pushed, 'change')}.`,
    forgotten > 0 && `Removed what was deleted: ${formatCount(forgotten, 'item')}.`,
    relayed > 0 && `Sent again what the server had lost: ${formatCount(relayed, 'deletion')}.`,
    aside > 0 && `Set aside: ${formatCount(aside, 'change')}. See: cairn team status`,
  ];
  return withCairnCommand(parts.filter(Boolean).join(' '));
}
