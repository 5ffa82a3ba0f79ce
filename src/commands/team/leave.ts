import { formatCount } from '../../context/words.ts';
import { forgetEverywhere } from '../../curation/forget.ts';
import { withCairnCommand } from '../../platform/cairn-command.ts';
import { TeamError } from '../../team/feed.ts';
import { readLogin, removeLogin } from '../../team/sync/login.ts';
import { confirmLoss } from '../support/ask.ts';
import { type Call, CommandError, printJson } from '../support/command.ts';
import { syncOptions, withStore } from './open.ts';

/** `cairn team leave` */
export function leaveTeam(call: Call): Promise<number> {
  return withStore(call, async (store) => {
    const login = await readLogin(call);
    if (!login && !store.getTeam()) throw new CommandError('This home is in no team.');
    const { memories, pending } = store.countTeam();
    const removes = call.options['with-memories'] === true;
    const unsent =
      pending > 0
        ? ` ${formatCount(pending, 'change')} that the team does not have would be lost to it.`
        : '';
    const loss = removes
      ? ` ${formatCount(memories, 'memory', 'memories')} of others would be removed from this machine.`
      : ` ${formatCount(memories, 'memory', 'memories')} of others would stay on this machine.`;
    if (!(await confirmLoss(call, `Leave the team?${unsent}${loss}`))) return 1;
    const isToldServer = login ? await tellServer(login) : false;
    if (removes) removeMemories(call, store);
    store.removeTeam();
    await removeLogin(call);
    if (call.options.json) printJson(call, { isToldServer, removed: removes ? memories : 0 });
    else {
      call.out('Left the team. Your own memories stay here and on the server.');
      const rest =
        !login && call.env.teamLink !== undefined
          ? 'CAIRN_TEAM is still set: the next command joins again. Unset it. An administrator ends the link: cairn team revoke'
          : 'The server was not notified. An administrator can end the access: cairn team revoke';
      if (!isToldServer) call.err(withCairnCommand(rest));
    }
    return 0;
  });
}

async function tellServer(login: NonNullable<Awaited<ReturnType<typeof readLogin>>>): Promise<boolean> {
  const { leave } = await import('../../team/server/join.ts');
  try {
    await leave(login);
    return true;
  } catch (error) {
    if (error instanceof TeamError) return false;
    throw error;
  }
}

function removeMemories(call: Call, store: Parameters<typeof syncOptions>[1]): void {
  const items = store.listTeamProjects().flatMap(({ projectId }) => store.listTeamItems(projectId));
  const { member } = store.getTeam() ?? {};
  const ofOthers = items.filter(
    ({ author, rowId, isDead }) => author !== null && author !== member && rowId !== null && !isDead,
  );
  const memories = ofOthers.flatMap(({ what, rowId }) =>
    what === 'memory' && rowId !== null ? [rowId] : [],
  );
  for (const { what, rowId } of ofOthers)
    if (what !== 'memory' && rowId !== null) store.removeSharedRow(what, rowId);
  store.removeTeam();
  if (memories.length > 0)
    forgetEverywhere(syncOptions(call, store), { memories, prompts: [], sessions: [], withSource: false });
}
