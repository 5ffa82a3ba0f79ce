import { bringIndexUpToDate } from '../indexing/bring-up-to-date.ts';
import { wordingOf } from '../model/wording.ts';
import type { ForgetTargets, TrashEntry } from '../store/types/curation.ts';
import { removeDrafts, wipeRemains } from './forget.ts';
import { forgetInFiles } from './home-files.ts';
import { forgetInLogs } from './log-lines.ts';
import { moveRenamed, writeAnew } from './work-files.ts';
import type { CurationWorld } from './world.ts';

const DAY_MS = 86_400_000;

/** The latest entry for each target, and the targets that are not in the trash. */
export function findInTrash(
  { store }: Pick<CurationWorld, 'store'>,
  targets: ForgetTargets,
): { entries: TrashEntry[]; missing: ForgetTargets } {
  const trash = store.trash();
  const entries = new Set<TrashEntry>();
  const missingOf = (kind: keyof ForgetTargets) =>
    targets[kind].filter((id) => {
      const entry = trash.find((each) => isIn(each, kind, id));
      if (entry) entries.add(entry);
      return !entry;
    });
  const missing = {
    memories: missingOf('memories'),
    prompts: missingOf('prompts'),
    sessions: missingOf('sessions'),
  };
  return { entries: [...entries], missing };
}

function isIn(entry: TrashEntry, kind: keyof ForgetTargets, id: number): boolean {
  if (entry.targets[kind].includes(id)) return true;
  return kind === 'memories' && entry.memories.some((memory) => memory.id === id);
}

/** Brings back all that one `forget` removed. */
export function restoreFromTrash(world: CurationWorld, entries: TrashEntry[]): void {
  const { store, log, now } = world;
  for (const entry of entries) {
    store.restore(entry.id, now());
    moveRenamed(
      world,
      entry.renamedWorks.map(({ from, to }) => ({ from: to, to: from })),
    );
    log.info('restored from trash', { memories: entry.memories.map(({ id }) => id).join(' ') });
  }
  writeAnew(world, []);
  bringIndexUpToDate(store);
}

/** Removes every byte of these entries. @returns whether pieces may be left in the database's files. */
export function emptyTrash(world: CurationWorld, entries: TrashEntry[]): { hasRemains: boolean } {
  const { store, paths, log } = world;
  if (entries.length === 0) return { hasRemains: false };
  for (const { id, memories, texts, withSource } of entries) {
    const wording = wordingOf(texts);
    const ids = memories.map((memory) => memory.id);
    store.deleteTrash([id]);
    forgetInLogs(paths.logs, { wording, memories: ids }, false);
    removeDrafts(world, ids);
    const { removed } = forgetInFiles(paths, wording, { withSource, isDryRun: false });
    writeAnew(world, removed);
    log.info('trash emptied', { memories: ids.join(' ') });
  }
  return { hasRemains: !wipeRemains(world) };
}

/** What was forgotten longer ago than `forget.undoDays`. */
export function emptyOldTrash(world: CurationWorld): void {
  const { store, settings, now } = world;
  const oldest = now() - settings['forget.undoDays'] * DAY_MS;
  emptyTrash(
    world,
    store.trash().filter(({ at }) => at <= oldest),
  );
}
