import { updateIndex } from '../indexing/update-index.ts';
import { analyzeWording } from '../model/wording.ts';
import { describeError } from '../platform/log.ts';
import type { ForgetTargets, TrashEntry } from '../store/types/curation.ts';
import { removeEditDrafts, wipeDeletedText } from './forget.ts';
import { forgetInFiles } from './home-files.ts';
import { forgetInLogs } from './log-lines.ts';
import type { CurationOptions } from './options.ts';
import { renameWorkFolders, rewriteWorkFiles } from './work-files.ts';

const DAY_MS = 86_400_000;

/** The latest entry for each target, and the targets that are not in the trash. */
export function findInTrash(
  { store }: Pick<CurationOptions, 'store'>,
  targets: ForgetTargets,
): { entries: TrashEntry[]; missing: ForgetTargets } {
  const trash = store.listTrash();
  const entries = new Set<TrashEntry>();
  const missingOf = (kind: keyof ForgetTargets) =>
    targets[kind].filter((id) => {
      const entry = trash.find((entry) => isIn(entry, kind, id));
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

/** Restores everything that one `forget` removed. */
export function restoreFromTrash(options: CurationOptions, entries: TrashEntry[]): void {
  const { store, log, now } = options;
  for (const entry of entries) {
    store.restoreFromTrash(entry.id, now());
    renameWorkFolders(
      options,
      entry.renamedWorks.map(({ from, to }) => ({ from: to, to: from })),
    );
    log.info('restored from trash', { memories: entry.memories.map(({ id }) => id).join(' ') });
  }
  rewriteWorkFiles(options, []);
  updateIndex(store);
}

/** Deletes these entries for good. @returns whether parts may remain in the database files. */
export function emptyTrash(options: CurationOptions, entries: TrashEntry[]): { hasRemains: boolean } {
  const { store, paths, log } = options;
  if (entries.length === 0) return { hasRemains: false };
  for (const { id, memories, texts, withSource } of entries) {
    const wording = analyzeWording(texts);
    const ids = memories.map((memory) => memory.id);
    forgetInLogs(paths.logs, { wording, memories: ids }, false);
    removeEditDrafts(options, ids);
    const { removed } = forgetInFiles(paths, wording, { withSource, isDryRun: false });
    rewriteWorkFiles(options, removed);
    // The last step, since only the entry knows the wording: what is interrupted before is done again.
    store.deleteTrash([id]);
    log.info('trash emptied', { memories: ids.join(' ') });
  }
  return { hasRemains: !wipeDeletedText(options) };
}

/** Deletes entries that are due: at a time of their own, or older than `forget.undoDays`. Tried again if that fails. */
export function emptyOldTrash(options: CurationOptions): void {
  const { store, settings, log, now } = options;
  const oldest = now() - settings['forget.undoDays'] * DAY_MS;
  const due = store.listTrash().filter(({ at, dueAt }) => (dueAt === null ? at <= oldest : dueAt <= now()));
  try {
    emptyTrash(options, due);
  } catch (error) {
    log.warn('trash not emptied', { cause: describeError(error) });
  }
}
