import type { Store } from '../../store/store.ts';
import type { TeamProject } from '../../store/types/team.ts';
import { digestChange } from './digest.ts';
import { laterStamp, nextStamp, timeOfStamp } from './hybrid-clock.ts';
import { newId } from './ledger.ts';

/**
 * Another home writes under the same origin: a copy of this one, or this one before it was restored. From now on this
 * home has its own; what the server does not have yet goes there.
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

/** This machine's clock was wrong: what the server does not have yet gets stamps of the server's time. */
export function correctClock(store: Store, serverNow: number, now: number): void {
  store.runInTransaction(() => {
    const team = store.getTeam();
    if (!team) return;
    // Later than everything that the server has accepted.
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
 * Reads the feed again from its first change; what is known changes nothing. A position alone does not say whether a
 * restored server still has all that was before it: others may have filled its numbers meanwhile.
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
