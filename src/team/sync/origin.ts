import type { Store } from '../../store/store.ts';
import type { TeamProject } from '../../store/types/team.ts';
import { digestChange } from './digest.ts';
import { laterStamp, nextStamp, timeOfStamp } from './hybrid-clock.ts';
import { newId } from './ledger.ts';

/**
 * Gives this home a new origin, because another home writes under the same one: a copy of it, or this home before a
 * restore. Changes that the server does not have yet move to the new origin.
 */
export function changeOrigin(store: Store, project: TeamProject): TeamProject {
  return store.runInTransaction(() => {
    const fresh = { ...project, origin: newId(), nextN: 1 };
    for (const old of store.listUnacknowledged(project.projectId)) {
      const moved = { ...old, origin: fresh.origin, n: fresh.nextN++ };
      store.replaceOutboxChange(old, { ...moved, digest: digestChange(project.digestKey, moved) });
    }
    saveProject(store, fresh);
    return fresh;
  });
}

/** After this machine's clock was wrong, gives changes that the server does not have stamps of the server's time. */
export function correctClock(store: Store, serverNow: number, now: number): void {
  store.runInTransaction(() => {
    const team = store.getTeam();
    if (!team) return;
    // New stamps are later than all that the server has accepted.
    let hlc = store.findLatestStamp();
    const moved = new Map<string, string>();
    for (const project of store.listTeamProjects())
      for (const old of store.listUnacknowledged(project.projectId)) {
        const after = moved.get(`${old.item} ${old.aspect} ${old.after}`) ?? old.after;
        hlc = nextStamp(laterStamp(hlc, after), Math.min(serverNow, timeOfStamp(old.hlc)));
        moved.set(`${old.item} ${old.aspect} ${old.hlc}`, hlc);
        const change = { ...old, hlc, after };
        store.replaceOutboxChange(old, { ...change, digest: digestChange(project.digestKey, change) });
      }
    store.setTeamClock({ hlc: nextStamp(hlc, serverNow), clockOffset: serverNow - now });
  });
}

/**
 * Resets the position to read the feed again from its first change; known changes have no effect. The position alone
 * does not tell whether a restored server still has everything before it: others may have reused its numbers.
 */
export function readAgain(store: Store, project: TeamProject): TeamProject {
  return store.runInTransaction(() => {
    const back = { ...project, seq: 0, chain: null, confirmed: 0 };
    store.forgetOutboxSeqs(project.projectId);
    store.forgetDeletionSeqs(project.projectId);
    saveProject(store, back);
    return back;
  });
}

export function saveProject(store: Store, { name: _, ...project }: TeamProject): void {
  store.saveTeamProject(project);
}
