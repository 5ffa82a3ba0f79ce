import { withCairnCommand } from '../../platform/cairn-command.ts';
import type { Store } from '../../store/store.ts';
import type { StoredMemory } from '../../store/types/memory.ts';
import { chooseMemorySharing, findSharingProblem } from '../../team/sync/share.ts';
import { syncTeam } from '../../team/sync/sync.ts';
import { confirmLoss } from '../support/ask.ts';
import { type Call, CommandError } from '../support/command.ts';
import { requireMemory } from '../support/numbers.ts';
import { syncOptions, withTeam } from './open.ts';
import { reportSync } from './sync.ts';

/** `cairn team share 12`: for a memory that is older than the share, or global. */
export function shareMemory(call: Call, id: number): Promise<number> {
  return withTeam(call, async ({ store, feed }) => {
    const { title, project } = requireDecidable(store, id, 'always');
    if (!(await confirmLoss(call, `Share #${id} (${title}) with the team, in ${project}?`))) return 1;
    chooseMemorySharing(store, id, 'always');
    call.out(`#${id} is shared.`);
    return reportSync(call, await syncTeam(syncOptions(call, store), feed));
  });
}

/** `cairn team unshare 12`: also stops a memory that was not sent yet. */
export function unshareMemory(call: Call, id: number): Promise<number> {
  return withTeam(call, async ({ store, feed }) => {
    const { title } = requireDecidable(store, id, 'never');
    const question = `Delete #${id} (${title}) on the server and on other machines? It stays on this machine.`;
    if (!(await confirmLoss(call, question))) return 1;
    chooseMemorySharing(store, id, 'never');
    call.out(`#${id} is private now. Other machines remove it at their next sync.`);
    return reportSync(call, await syncTeam(syncOptions(call, store), feed));
  });
}

function requireDecidable(store: Store, id: number, sharing: 'always' | 'never'): StoredMemory {
  const memory = requireMemory(store, id);
  const problem = findSharingProblem(store, memory, sharing);
  if (problem !== null) throw new CommandError(withCairnCommand(problem));
  return memory;
}
