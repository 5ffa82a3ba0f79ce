import type { Store } from '../../store/store.ts';
import type { TeamItem, TeamProject, TeamRegister } from '../../store/types/team.ts';
import type { FeedPosition, TeamFeed } from '../feed.ts';
import { describeRow } from './collect.ts';
import { laterStamp } from './hybrid-clock.ts';
import { openLedger, type TeamOptions } from './ledger.ts';
import { findRoots } from './machine-paths.ts';
import { readAgain } from './origin.ts';
import { type ChangeValue, isWithdrawal, WITHDRAWAL } from './payload.ts';
import { parseAside, serverIdOf, tryToApply } from './pull.ts';
import { type SyncOptions, type SyncResult, syncTeam } from './sync.ts';

const CHANGES_AT_ONCE = 1_000;
const MOST_ASIDE = 10_000;

export interface RepairResult {
  /** Changes that had been set aside, and how many of them could be applied. */
  retried: number;
  applied: number;
  /** Items that the server had lost and that were sent again. */
  relayed: number;
  sync: SyncResult;
}

export async function repairTeam(request: SyncOptions, feed: TeamFeed): Promise<RepairResult> {
  const options = { ...request, roots: request.roots ?? findRoots() };
  const prepared = prepareRepair(options);
  const sync = await syncTeam(options, feed);
  const items = sync.problem ? 0 : await relayLostItems(options, feed);
  const relayed = sync.relayed + items;
  return { ...prepared, relayed, sync: items > 0 ? await syncTeam(options, feed) : sync };
}

/** Before a sync: lets it read and compare everything again, and retries changes set aside or refused. */
function prepareRepair({ store, now }: TeamOptions): { retried: number; applied: number } {
  return store.runInTransaction(() => {
    const projects = new Map(store.listTeamProjects().map((project) => [project.projectId, project]));
    const aside = store.listAside(MOST_ASIDE);
    const applied = aside.filter(({ projectId, seq, change }) => {
      const project = projects.get(projectId);
      if (!project) store.removeAside(projectId, seq);
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

/** Forgets items whose rows a damaged database lost, so the feed restores them. */
function restoreLostRows(store: Store, { projectId }: TeamProject): void {
  for (const item of store.listTeamItems(projectId)) {
    if (item.isDead || item.rowId === null || store.readSharedRow(item.what, item.rowId)) continue;
    store.forgetItem(item.item);
  }
}

/**
 * After a sync: sends items again, in this home's name, that the server lacks because it was restored and the machine
 * that made them is gone. @returns how many items.
 */
async function relayLostItems(options: TeamOptions, feed: TeamFeed): Promise<number> {
  const { store } = options;
  let relayed = 0;
  for (const project of store.listTeamProjects()) {
    if (!project.isShared || !project.canWrite || project.serverId === null) continue;
    const onServer = await readServerStamps(feed, project);
    relayed += store.runInTransaction(() => relayMissing(options, project.projectId, onServer));
  }
  return relayed;
}

/** The latest stamp of each aspect of each item. */
async function readServerStamps(feed: TeamFeed, project: TeamProject): Promise<Map<string, string>> {
  const stamps = new Map<string, string>();
  let position: FeedPosition = { seq: '0', chain: null };
  for (;;) {
    const result = await feed.pull(serverIdOf(project), position, CHANGES_AT_ONCE);
    if (result.outcome === 'diverged') return stamps;
    for (const change of result.changes) {
      const key = keyOf(change);
      stamps.set(key, laterStamp(stamps.get(key) ?? '0', change.hlc));
    }
    position = result.end;
    if (result.changes.length === 0 || position.seq === result.head) return stamps;
  }
}

function relayMissing(options: TeamOptions, projectId: number, onServer: Map<string, string>): number {
  const { store } = options;
  const ledger = openLedger(options);
  if (!ledger) return 0;
  let relayed = 0;
  for (const item of store.listTeamItems(projectId)) {
    // The sync has sent its deletion.
    if (item.isDead) continue;
    const lost = store
      .listRegisters(item.item)
      .filter((register) => BigInt(onServer.get(keyOf(register)) ?? '0') < BigInt(register.hlc));
    const changes = lost.length === 0 ? [] : describeItem(store, item, lost);
    const missing = changes.filter((change) => lost.some(({ aspect }) => aspect === change.aspect));
    if (missing.length === 0) continue;
    for (const change of missing) ledger.record(item, change);
    relayed++;
  }
  if (relayed > 0) ledger.close();
  return relayed;
}

function keyOf({ item, aspect }: { item: string; aspect: string }): string {
  return `${item} ${aspect}`;
}

function describeItem(store: Store, { what, rowId }: TeamItem, registers: TeamRegister[]): ChangeValue[] {
  const row = rowId === null ? null : store.readSharedRow(what, rowId);
  // A withdrawn memory has no row.
  if (!row) return registers.some(isWithdrawal) ? [WITHDRAWAL] : [];
  const { text } = row.values;
  const work = 'work' in text ? (store.findTeamItem('work-item', Number(text.work))?.item ?? null) : null;
  return describeRow(store, row, work);
}
