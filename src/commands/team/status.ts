import { formatAge, formatCount } from '../../context/words.ts';
import { withCairnCommand } from '../../platform/cairn-command.ts';
import type { Store } from '../../store/store.ts';
import { TeamError, type TeamErrorReason } from '../../team/feed.ts';
import type { TeamCredentials } from '../../team/server/address.ts';
import { collectOwnChanges } from '../../team/sync/collect.ts';
import { findRoots } from '../../team/sync/machine-paths.ts';
import { findLogin } from '../../team/sync/open-team.ts';
import { listUnconfirmed, type Unconfirmed } from '../../team/sync/unconfirmed.ts';
import { type Call, printJson } from '../support/command.ts';
import { printWrapped } from '../support/rows.ts';
import { describeTeamError, syncOptions, withStore } from './open.ts';

const ASIDE_SHOWN = 5;

/** `cairn team status` */
export function showStatus(call: Call): Promise<number> {
  return withStore(call, async (store) => {
    const login = await findLogin(call, store, call.now());
    const team = store.getTeam();
    if (!team || !login) {
      if (call.options.json) printJson(call, { team: null });
      else
        call.out(
          withCairnCommand(
            'This home is in no team. Make one: cairn team create, or use a link: cairn team join',
          ),
        );
      return 0;
    }
    // Drops noted changes that came from the team or belong to projects that are not shared.
    collectOwnChanges({ ...syncOptions(call, store), roots: findRoots() });
    const counts = store.countTeam();
    const projects = store.listTeamProjects().map((project) => ({
      ...{ name: project.name, key: project.key, isShared: project.isShared, canWrite: project.canWrite },
      ...{ pending: store.countPending(project.projectId), position: project.seq },
    }));
    const aside = store.listAside(ASIDE_SHOWN).map(({ reason, problem, seq }) => ({ reason, problem, seq }));
    const refused = store.listRefused(ASIDE_SHOWN).map(({ n, refusal }) => ({ n, refusal }));
    const unconfirmed = await askUnconfirmed(store, login);
    const { member, machine, server, isEncrypted, syncedAt, problem } = team;
    if (call.options.json) {
      printJson(call, {
        member,
        machine,
        server,
        isEncrypted,
        syncedAt,
        problem,
        ...counts,
        projects,
        aside,
        refused,
        unconfirmed,
      });
      return problem ? 1 : 0;
    }
    const { out, paint } = call;
    out(`${paint.bold(member)} on ${machine}  ${paint.dim(server)}`);
    if (isEncrypted) out('  encrypted  the server sees ids, sizes and times');
    out(`  last sync  ${syncedAt === null ? 'never' : formatAge(syncedAt, call.now())}`);
    out(`  to send    ${formatCount(counts.pending + counts.marked, 'change')}`);
    out(`  received   ${formatCount(counts.memories, 'memory', 'memories')} of others`);
    if (projects.length === 0) out(withCairnCommand('  No project is shared. Share one: cairn team share'));
    for (const { name, key, isShared, canWrite, pending } of projects) {
      const how = !canWrite
        ? `${isShared ? 'shared, but' : 'received;'} you may only read`
        : isShared
          ? 'shared'
          : 'received; what you remember here is not shared: cairn team share';
      printWrapped(
        call,
        withCairnCommand(
          `  ${paint.bold(name)}  ${key.replace(/^name:/, '')}  ${how}${pending ? `, ${pending} to send` : ''}`,
        ),
        4,
      );
    }
    if (counts.aside > 0)
      out(
        withCairnCommand(`  set aside  ${formatCount(counts.aside, 'change')}. Try again: cairn team repair`),
      );
    for (const { problem: why, seq } of aside) printWrapped(call, paint.dim(`    change ${seq}: ${why}`), 6);
    for (const { refusal } of refused)
      printWrapped(call, `  refused    ${refusal}. Try again: cairn team repair`, 4);
    printUnconfirmed(call, unconfirmed);
    if (problem)
      printWrapped(
        call,
        withCairnCommand(
          `${paint.yellow('!')} ${describeTeamError({ ...problem, reason: problem.reason as TeamErrorReason })}`,
        ),
        2,
      );
    return problem ? 1 : 0;
  });
}

function printUnconfirmed({ out }: Call, unconfirmed: Unconfirmed[] | null): void {
  if (!unconfirmed) out('  Without the server it is not known who has confirmed deletions.');
  for (const { member, machine, deletions } of unconfirmed ?? [])
    out(`  not confirmed  ${formatCount(deletions, 'deletion')} by ${member} (${machine})`);
}

/** Machines that have not confirmed all deletions yet; null if the server does not answer. */
async function askUnconfirmed(store: Store, login: TeamCredentials): Promise<Unconfirmed[] | null> {
  try {
    const { listMachines } = await import('../../team/server/people.ts');
    return listUnconfirmed(store, await listMachines(login));
  } catch (error) {
    if (error instanceof TeamError) return null;
    throw error;
  }
}
