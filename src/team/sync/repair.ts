import type { Store } from '../../store/store.ts';
import type { TeamProject } from '../../store/types/team.ts';
import type { FeedPosition, TeamFeed } from '../feed.ts';
import { describeRow } from './collect.ts';
import { openLedger, type TeamOptions } from './ledger.ts';
import { readAgain } from './origin.ts';
import { parseAside, serverIdOf, tryToApply } from './pull.ts';

const CHANGES_AT_ONCE = 1_000;
const MOST_ASIDE = 10_000;

/** Before a sync: everything is read and compared again, and what was set aside or refused is tried again. */
export function prepareRepair({ store, now }: TeamOptions): { retried: number; applied: number } {
  return store.runInTransaction(() => {
    const projects = new Map(store.listTeamProjects().map((project) => [project.projectId, project]));
    const aside = store.listAside(MOST_ASIDE);
    const applied = aside.filter(({ projectId, seq, change }) => {
      const project = projects.get(projectId);
      store.removeAside(projectId, seq);
      return project !== undefined && tryToApply(store, project, parseAside(change), now());
    }).length;
    for (const { projectId, origin, n, item } of store.listRefused(MOST_ASIDE)) {
      const known = store.getTeamItem(item);
      store.setRefusal(projectId, origin, n, null);
      if (known?.rowId != null) store.markRow(known.what, known.rowId);
    }
    for (const project of projects.values()) {
      restoreLostRows(store, project);
      readAgain(store, project);
    }
    return { retried: aside.length, applied };
  });
}

/** Rows that a damaged database lost come back from the feed. */
function restoreLostRows(store: Store, { projectId }: TeamProject): void {
  for (const item of store.listTeamItems(projectId)) {
    if (item.isDead || item.rowId === null || store.readSharedRow(item.what, item.rowId)) continue;
    store.forgetItem(item.item);
  }
}

/**
 * After a sync: what this home knows and the server lacks, because it was restored and the machine that made it is
 * gone, is sent again in this home's name. @returns how many items.
 */
export async function relayLostItems(options: TeamOptions, feed: TeamFeed): Promise<number> {
  const { store } = options;
  let relayed = 0;
  for (const project of store.listTeamProjects()) {
    if (!project.isShared || !project.canWrite || project.serverId === null) continue;
    const onServer = await listServerItems(feed, project);
    relayed += store.runInTransaction(() => relayMissing(options, project.projectId, onServer));
  }
  return relayed;
}

async function listServerItems(feed: TeamFeed, project: TeamProject): Promise<Set<string>> {
  const items = new Set<string>();
  let position: FeedPosition = { seq: '0', chain: null };
  for (;;) {
    const result = await feed.pull(serverIdOf(project), position, CHANGES_AT_ONCE);
    if (result.outcome === 'diverged') return items;
    for (const { item } of result.changes) items.add(item);
    position = result.end;
    if (result.changes.length === 0 || position.seq === result.head) return items;
  }
}

function relayMissing(options: TeamOptions, projectId: number, onServer: Set<string>): number {
  const { store } = options;
  const ledger = openLedger(options);
  const missing = store.listTeamItems(projectId).filter(({ item }) => !onServer.has(item));
  if (!ledger || missing.length === 0) return 0;
  for (const item of missing) {
    const row = item.rowId === null ? null : store.readSharedRow(item.what, item.rowId);
    if (item.isDead) ledger.recordDeletion(item);
    if (item.isDead || !row) continue;
    const { text } = row.values;
    const work = 'work' in text ? (store.findTeamItem('work-item', Number(text.work))?.item ?? null) : null;
    for (const change of describeRow(store, row, work)) ledger.record(item, change);
  }
  ledger.close();
  return missing.length;
}
