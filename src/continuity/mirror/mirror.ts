import { join } from 'node:path';
import { putInOutbox } from '../../capture/outbox.ts';
import type { WorkItem } from '../../model/work.ts';
import { makePrivateFolder, readIfThere, writeAtomically } from '../../platform/files.ts';
import { describeError, type Log } from '../../platform/log.ts';
import type { Paths } from '../../platform/paths.ts';
import { tryLock } from '../../store/sqlite/lock.ts';
import type { Store } from '../../store/store.ts';
import { moveRenamedFolders, removeDrafts } from './mirror-folders.ts';
import { isPlanEdited, type MirrorOutcome, mirrorWorkItem } from './mirror-work-item.ts';
import { isUnedited } from './state-file.ts';

export interface MirrorOptions {
  store: Store;
  paths: Paths;
  log: Log;
  now: () => number;
  /** How long to wait for another process that is writing the files. */
  lockMs?: number;
  /** Notifies the person. By default the next hook delivers the notice. */
  notify?: (notice: string) => void;
}

/** More work items than a person creates in years. */
const ALL = 10_000;
const AT_A_TIME = 500;
/** Limits the rounds, because work items may change all the time. Every process mirrors its own changes. */
const MOST_ROUNDS = 3;

/**
 * Writes the files of work items that have changed, after reading back those that a person has edited. Any number of
 * processes may call this at once: one writes, and the others return.
 */
export function mirrorWorkItems(options: MirrorOptions): MirrorOutcome[] {
  const outcomes: MirrorOutcome[] = [];
  const tried = new Set<string>();
  for (let round = 0; round < MOST_ROUNDS; round++) {
    // Includes changes made by other processes meanwhile. Failed writes are not retried.
    const waiting = options.store
      .listWorkItemsToMirror(AT_A_TIME)
      .filter(({ work }) => !tried.has(`${work.id} ${work.changedAt}`));
    if (waiting.length === 0) return outcomes;
    for (const { work } of waiting) tried.add(`${work.id} ${work.changedAt}`);
    const mirrored = mirrorUnderLock(
      options,
      waiting.map(({ work }) => work),
    );
    if (!mirrored) return outcomes;
    outcomes.push(...mirrored);
  }
  return outcomes;
}

/** For callers that are about to show work items: applies a person's edits. */
export function applyAllEdits(options: MirrorOptions): MirrorOutcome[] {
  const edited = options.store.listWorkItems({ withClosed: true, limit: ALL }).filter((work) => {
    const text = readIfThere(stateFileOf(options.paths, work));
    return (text !== null && !isUnedited(text)) || isPlanEdited(options, work);
  });
  return edited.length === 0 ? [] : (mirrorUnderLock(options, edited) ?? []);
}

/** Null if another process is mirroring or nothing can be written. The database still has everything. */
function mirrorUnderLock(options: MirrorOptions, works: WorkItem[]): MirrorOutcome[] | null {
  const { paths, log, lockMs = 0 } = options;
  let release: (() => void) | null = null;
  try {
    makePrivateFolder(paths.state);
    makePrivateFolder(paths.works);
    release = tryLock(paths.worksLock, lockMs);
    if (!release) return null;
    moveRenamedFolders(options);
    const outcomes = works.map(({ id }) => mirrorOne(options, id)).filter((outcome) => outcome !== null);
    writeIndex(options);
    reportOutcomes(options, outcomes);
    return outcomes;
  } catch (error) {
    log.warn('work items not mirrored', { cause: describeError(error) });
    return null;
  } finally {
    release?.();
  }
}

/** Logs a failed write, which must not stop the others. */
function mirrorOne(options: MirrorOptions, id: number): MirrorOutcome | null {
  const work = options.store.getWorkItem(id);
  if (!work) return null;
  try {
    return mirrorWorkItem(options, work);
  } catch (error) {
    options.log.warn('work not mirrored', { work: work.name, cause: describeError(error) });
    return { work: work.name, action: 'failed', taken: [], refused: [describeError(error)], kept: [] };
  }
}

const ABOUT_INDEX =
  'Written by Cairn from its database; changes here are not read. To change a work item, edit its state file.';

function writeIndex({ store, paths }: MirrorOptions): void {
  removeDrafts(paths.works);
  const works = store
    .listWorkItems({ withClosed: true, limit: ALL })
    .sort((a, b) => compare(a.project, b.project) || compare(a.name, b.name))
    .map(({ name, title, mode, project, branch, changedAt, closedAt }) => ({
      name,
      title,
      mode,
      project,
      branch,
      changed: new Date(changedAt).toISOString(),
      closed: closedAt === null ? null : new Date(closedAt).toISOString(),
      file: `${name}/state.json`,
    }));
  const text = `${JSON.stringify({ about: ABOUT_INDEX, format: 1, works }, null, 2)}\n`;
  const file = join(paths.works, 'index.json');
  if (readIfThere(file) !== text) writeAtomically(file, text);
}

function reportOutcomes({ paths, log, notify }: MirrorOptions, outcomes: MirrorOutcome[]): void {
  for (const { work, action, taken, refused } of outcomes)
    if (taken.length + refused.length > 0 && action !== 'failed')
      log.info('edit by hand', { work, action, taken: taken.join('; '), refused: refused.join('; ') });
  // Failed writes are reported only to a caller that reads these files, not at every hook.
  const notices = outcomes.filter(({ action }) => notify || action !== 'failed').flatMap(noticeOf);
  if (notices.length === 0) return;
  if (notify) for (const notice of notices) notify(notice);
  else putInOutbox(paths, notices.join('\n'));
}

function noticeOf({ work, action, refused, kept }: MirrorOutcome): string[] {
  if (refused.length === 0) return [];
  const why = refused.join('; ');
  if (action === 'failed') return [`Cairn cannot write the files of the work item "${work}": ${why}`];
  const what = action === 'set aside' ? 'could not be read' : 'was applied only in part';
  return [`Cairn: your edit of the work item "${work}" ${what}: ${why}. Yours is kept as ${kept.join(', ')}`];
}

export function stateFileOf(paths: Paths, { name }: Pick<WorkItem, 'name'>): string {
  return join(paths.works, name, 'state.json');
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
