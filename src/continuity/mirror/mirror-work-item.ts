import { chmodSync, existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Plan, WorkItem } from '../../model/work.ts';
import { makePrivateFolder, PRIVATE_FILE, readIfThere, writeAtomically } from '../../platform/files.ts';
import { blobHash } from '../../platform/git/checkout.ts';
import type { Log } from '../../platform/log.ts';
import type { Paths } from '../../platform/paths.ts';
import type { Store } from '../../store/store.ts';
import { formatHandoffDocument } from '../handoff/handoff-markdown.ts';
import { applyPlanReport } from '../plans/plan.ts';
import { applyStateEdits, cleanEditedText } from './apply-edits.ts';
import { removeDrafts } from './mirror-folders.ts';
import { type EditableState, readStateFile } from './read-state-file.ts';
import { formatState, isUnedited, type WithFile, type WorkItemRecord } from './state-file.ts';

export interface MirrorOutcome {
  work: string;
  action: 'written' | 'read back' | 'set aside' | 'failed';
  taken: string[];
  refused: string[];
  /** Files with the person's text, if it could not be applied completely. */
  kept: string[];
}

interface MirrorContext {
  store: Store;
  paths: Paths;
  log: Log;
  now: () => number;
}

/** Digests of the Markdown files as they were written, by name; null if not needed. */
type Hashes = Map<string, string> | null;

const MARKDOWN = /^(?:plan-v|handoff-)\d+\.md$/;
const NO_LONGER = 'there is no such plan or handoff';
const NOT_HERE = 'plans and handoffs are not changed in their files';

/** Applies a person's edits to the files of a work item, then writes the files from the database. */
export function mirrorWorkItem(options: MirrorContext, work: WorkItem): MirrorOutcome {
  const { store, paths } = options;
  const outcome: MirrorOutcome = { work: work.name, action: 'written', taken: [], refused: [], kept: [] };
  const folder = join(paths.works, work.name);
  makePrivateFolder(folder);
  removeDrafts(folder);

  const found = readIfThere(join(folder, 'state.json'));
  const state = found === null ? null : applyEdits(options, work, found, outcome);
  const now = store.getWorkItem(work.id) ?? work;
  if (now.name !== work.name) {
    const moved = join(paths.works, now.name);
    if (!existsSync(moved)) {
      renameSync(folder, moved);
      outcome.kept = outcome.kept.map((path) => join(moved, basename(path)));
    }
    outcome.work = now.name;
  }
  // Without a state file, all other files there count as Cairn's.
  const hashes = state?.hashes ?? (found === null ? null : new Map<string, string>());
  applyPlanEdits(options, now, hashes, outcome);
  write(options, store.getWorkItem(work.id) ?? now, hashes, outcome);
  return outcome;
}

function applyEdits(
  options: MirrorContext,
  work: WorkItem,
  text: string,
  outcome: MirrorOutcome,
): EditableState | null {
  const read = readStateFile(text);
  const file = join(options.paths.works, work.name, 'state.json');
  if ('problem' in read) {
    outcome.action = 'set aside';
    outcome.refused.push(read.problem);
    outcome.kept.push(setAside(file, options.now()));
    return null;
  }
  if (isUnedited(text)) return read.state;
  const { taken, refused } = applyStateEdits(options, work, read.state);
  if (read.migrated.length > 0)
    options.log.info('older state file', { work: work.name, migrated: read.migrated.join('; ') });
  outcome.action = 'read back';
  outcome.taken.push(...taken);
  outcome.refused.push(...refused);
  if (refused.length > 0) outcome.kept.push(setAside(file, options.now()));
  return read.state;
}

/** Whether a person edited the file of the accepted plan. */
export function isPlanEdited(
  { store, paths }: Pick<MirrorContext, 'store' | 'paths'>,
  work: WorkItem,
): boolean {
  const plan = store.findAcceptedPlan(work.id);
  const text = plan && readIfThere(join(paths.works, work.name, `plan-v${plan.version}.md`));
  return plan !== null && text !== null && text !== planText(plan);
}

/** An edited plan file becomes the next version of the plan. */
function applyPlanEdits(
  options: MirrorContext,
  work: WorkItem,
  hashes: Hashes,
  outcome: MirrorOutcome,
): void {
  const { store, paths, log, now } = options;
  const plan = store.findAcceptedPlan(work.id);
  if (!plan) return;
  const name = `plan-v${plan.version}.md`;
  const file = join(paths.works, work.name, name);
  const text = readIfThere(file);
  if (text === null || text.trim() === '' || text === planText(plan)) return;
  const written = hashes?.get(name);
  if (written === undefined || written === blobHash(Buffer.from(text))) return;
  const at = now();
  const session = plan.agentSession ?? '';
  applyPlanReport(
    store,
    work,
    { decision: 'accepted', text: cleanEditedText(text) },
    { agentSession: session, at, log },
  );
  rmSync(file);
  outcome.action = 'read back';
  outcome.taken.push('its plan');
}

/** Writes the state file last, because the files it names must exist. */
function write(options: MirrorContext, work: WorkItem, hashes: Hashes, outcome: MirrorOutcome): void {
  const { store, paths, now } = options;
  const folder = join(paths.works, work.name);
  const texts = new Map<string, string>();
  const record = recordOf(store, work, texts);

  for (const name of readdirSync(folder).filter((file) => MARKDOWN.test(file))) {
    const file = join(folder, name);
    const hash = blobHash(Buffer.from(readIfThere(file) ?? ''));
    const text = texts.get(name);
    if (text !== undefined && blobHash(Buffer.from(text)) === hash) texts.delete(name);
    else if (hashes === null || hashes.get(name) === hash) {
      if (text === undefined) rmSync(file);
    } else {
      outcome.refused.push(`${name}: ${text === undefined ? NO_LONGER : NOT_HERE}`);
      outcome.kept.push(setAside(file, now()));
    }
  }
  for (const [name, text] of texts) writeAtomically(join(folder, name), text);

  const text = formatState(record);
  const file = join(folder, 'state.json');
  if (readIfThere(file) !== text) writeAtomically(file, text);
  store.saveMirror(work.id, { changedAt: work.changedAt, hash: blobHash(Buffer.from(text)) });
}

function recordOf(store: Store, work: WorkItem, texts: Map<string, string>): WorkItemRecord {
  const withFile = <T>(piece: T, file: string, text: string): WithFile<T> => {
    texts.set(file, text);
    return { ...piece, file, hash: blobHash(Buffer.from(text)) };
  };
  return {
    work,
    sessions: store.listWorkItemSessions(work.id),
    plans: store.listPlans(work.id).map((plan) => withFile(plan, `plan-v${plan.version}.md`, planText(plan))),
    tasks: store.listTasks(work.id),
    handoffs: store
      .listHandoffs({ workId: work.id, limit: 1_000 })
      .map((handoff) =>
        withFile(handoff, `handoff-${handoff.number}.md`, `${formatHandoffDocument(handoff, work)}\n`),
      ),
    notes: store.listWorkNotes(work.id),
    git: store.listGitStates(work.id, 1)[0] ?? null,
  };
}

function planText({ text }: Plan): string {
  return `${text.trimEnd()}\n`;
}

/** Renames a file, which keeps its content. @returns the new path. */
function setAside(file: string, at: number): string {
  const stamp = new Date(at).toISOString().replace(/[:.]/g, '-');
  let aside = `${file}.set-aside-${stamp}`;
  for (let number = 2; existsSync(aside); number++) aside = `${file}.set-aside-${stamp}-${number}`;
  renameSync(file, aside);
  chmodSync(aside, PRIVATE_FILE);
  return aside;
}
