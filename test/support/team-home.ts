import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { readEnvironment } from '../../src/config/environment.ts';
import { loadSettings } from '../../src/config/settings.ts';
import { forgetEverywhere } from '../../src/curation/forget.ts';
import type { Log } from '../../src/platform/log.ts';
import { type Paths, pathsOf } from '../../src/platform/paths.ts';
import type { Store } from '../../src/store/store.ts';
import type { TeamFeed } from '../../src/team/feed.ts';
import { newTeamProject } from '../../src/team/sync/link-projects.ts';
import { type RepairResult, repairTeam } from '../../src/team/sync/repair.ts';
import { type SyncOptions, type SyncResult, syncTeam } from '../../src/team/sync/sync.ts';
import { openPlainStore, type PlainStore } from './plain-store.ts';
import { tempFolder } from './temp.ts';

export const SHOP = 'git.example.com/team/shop';

export interface TeamHome {
  store: PlainStore;
  paths: Paths;
  member: string;
  machine: string;
  projectId: number;
  /** Added to the clock of this machine, in ms. */
  skew: number;
  feed: TeamFeed;
  sync(): Promise<SyncResult>;
  repair(): Promise<RepairResult>;
  /** Like `sync`, but throws if the result has a problem. */
  synced(): Promise<SyncResult>;
  note(title: string, narrative?: string): number;
  forget(id: number): void;
  now(): number;
}

const SILENT: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** A home that has joined the team and shares the shop. */
export async function makeTeamHome(
  feed: TeamFeed,
  member: string,
  machine: string,
  {
    folder = tempFolder(),
    isShared = true,
    skew = 0,
  }: { folder?: string; isShared?: boolean; skew?: number } = {},
): Promise<TeamHome> {
  const paths = pathsOf(folder);
  const store = openPlainStore(paths.database);
  const place = { path: join('/work', machine, 'shop/.git'), name: 'shop', remote: SHOP };
  const now = Date.now() + skew;
  store.addNote({ ...bareNote(), title: `private start of ${machine}`, scope: 'project', place }, now);
  const projectId = store.findProject(place)?.id ?? 0;
  const { team } = await feed.listHeads();
  store.saveTeam({
    ...{ team, member, machine, epoch: '', server: 'db.example.com', isEncrypted: false, joinedAt: now },
    ...{ hlc: '0', clockOffset: 0, syncedAt: null, problem: null },
  });
  const { name: _, ...project } = newTeamProject({ projectId, key: SHOP, isShared, since: now + 1 });
  store.saveTeamProject(project);
  return Object.assign(useTeamHome({ store, paths, member, machine, projectId, feed }), { skew });
}

export function useTeamHome(
  known: Pick<TeamHome, 'store' | 'paths' | 'member' | 'machine' | 'projectId' | 'feed'>,
): TeamHome {
  const { settings } = loadSettings(known.paths.config, readEnvironment({ HOME: known.paths.home }));
  const home: TeamHome = {
    ...known,
    skew: 0,
    // Later than everything from before the project was shared.
    now: () => Date.now() + 10 + home.skew,
    sync: () => syncTeam(options(), home.feed),
    repair: () => repairTeam(options(), home.feed),
    async synced() {
      const result = await home.sync();
      if (result.problem) throw new Error(`${home.machine}: ${result.problem.message}`);
      return result;
    },
    note(title, narrative = '') {
      const place = { path: join('/work', home.machine, 'shop/.git'), name: 'shop', remote: SHOP };
      return home.store.addNote({ ...bareNote(), title, narrative, scope: 'project', place }, home.now()).id;
    },
    forget(id) {
      forgetEverywhere(options(), { memories: [id], prompts: [], sessions: [], withSource: false });
    },
  };
  function options(): SyncOptions {
    const { paths, now } = home;
    return { store: home.store as unknown as Store, paths, settings, log: SILENT, now };
  }
  return home;
}

function bareNote() {
  return { type: null, narrative: '', aliases: [], files: [], pins: [], saidBy: 'person', isPinned: false };
}

/** Copies a home as a backup or a snapshot of the machine does. */
export function copyHome(home: TeamHome): TeamHome {
  home.store.checkpointWal();
  const folder = tempFolder();
  cpSync(home.paths.home, folder, { recursive: true });
  const paths = pathsOf(folder);
  return useTeamHome({ ...home, paths, store: openPlainStore(paths.database) });
}

/** Syncs until no home has anything new. */
export async function settleHomes(homes: TeamHome[]): Promise<void> {
  for (let round = 0; round < 12; round++) {
    let moved = 0;
    for (const home of homes) {
      const { pulled, pushed } = await home.synced();
      moved += pulled + pushed;
    }
    if (moved === 0) return;
  }
  throw new Error('The homes do not come to rest.');
}

/** What a home knows of the shared project, without its local numbers. */
export function describeHome({ store, projectId }: TeamHome): unknown {
  const items = store.listTeamItems(projectId).filter(({ isDead }) => !isDead);
  const uuidOf = new Map(items.map((item) => [`${item.what} ${item.rowId}`, item.item]));
  return items
    .filter(({ rowId }) => rowId !== null)
    .map(({ item, what, rowId }) => {
      const row = store.readSharedRow(what, rowId ?? 0);
      if (!row) return { item, missing: true };
      const { text, pin, supersededBy, state } = row.values;
      const { number: _n, version: _v, name: _name, work, ...rest } = { ...text } as Record<string, unknown>;
      return {
        item,
        ...rest,
        ...(work !== undefined && { work: uuidOf.get(`work-item ${work}`) }),
        pin,
        by: supersededBy == null ? null : (uuidOf.get(`memory ${supersededBy}`) ?? null),
        state,
      };
    })
    .sort((one, other) => (one.item < other.item ? -1 : 1));
}

export function findByTitle({ store, projectId }: TeamHome, title: string) {
  return store.listRecentMemories({ projectId, limit: 1_000 }).find((memory) => memory.title === title);
}
