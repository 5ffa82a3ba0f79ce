import type { TeamStore } from '../../store/store.ts';
import type {
  GoneItem,
  SharedKind,
  SharedRow,
  SharedState,
  TeamItem,
  TeamProject,
} from '../../store/types/team.ts';
import { deriveId, type Ledger, newId, openLedger, type TeamOptions } from './ledger.ts';
import { type ChangeValue, fingerprint, WITHDRAWAL } from './payload.ts';
import { settleHeld, writeSupersession } from './supersession.ts';

/** Small batches keep transactions short for other writers. */
const ROWS_AT_ONCE = 200;

/** Adds changes of shared projects to the outbox. @returns how many. */
export function collectOwnChanges(options: TeamOptions): number {
  let changes = 0;
  for (;;) {
    const { made, rows } = options.store.runInTransaction(() => collectSome(options));
    changes += made;
    // Sharing a memory marks the memories that it replaced, so another round may be needed.
    if (rows === 0) return changes;
  }
}

function collectSome(options: TeamOptions): { made: number; rows: number } {
  const { store } = options;
  const ledger = openLedger(options);
  if (!ledger) return { made: 0, rows: 0 };
  let made = 0;
  const replaced: string[] = [];
  const counting: Ledger = {
    ...ledger,
    record(item, change) {
      made++;
      if (change.aspect === 'supersession') replaced.push(item.item);
      ledger.record(item, change);
    },
    recordDeletion(item) {
      made++;
      ledger.recordDeletion(item);
    },
  };
  const gone = store.listGoneItems(ROWS_AT_ONCE);
  for (const item of gone) leave(store, counting, item);
  const marked = store.listMarkedRows(ROWS_AT_ONCE);
  for (const { what, rowId } of marked) {
    store.unmarkRow(what, rowId);
    shareRow(store, counting, what, rowId);
  }
  if (made > 0) {
    ledger.close();
    // The changes may have closed or opened a cycle of replacements.
    for (const item of replaced) writeSupersession(store, item, options.now());
    settleHeld(store, options.now());
  }
  return { made, rows: Math.max(gone.length, marked.length) };
}

/** A forgotten memory is deleted everywhere. One that its turn no longer produces is only withdrawn. */
function leave(store: TeamStore, ledger: Ledger, { isForgotten, ...item }: GoneItem): void {
  store.saveTeamItem({ ...item, author: null, rowId: null });
  if (!ledger.projects.get(item.projectId)?.isShared) {
    // Other members keep it, but a later edit of theirs does not bring it back here.
    if (isForgotten) store.killTeamItem(item.item);
    return;
  }
  if (isForgotten || item.what !== 'memory') ledger.recordDeletion(item);
  else ledger.record(item, WITHDRAWAL);
}

/** @returns the row's item; null if it is not shared. */
function shareRow(store: TeamStore, ledger: Ledger, what: SharedKind, rowId: number): TeamItem | null {
  const row = store.readSharedRow(what, rowId);
  const known = store.findTeamItem(what, rowId);
  if (!row || known?.isDead) return null;
  const project = ledger.projects.get(row.projectId);
  if (!project?.canWrite) return null;
  if (!project.isShared) {
    // The state of a received handoff is sent even if the project is not shared from here.
    if (known?.what === 'handoff')
      for (const change of listChanges(store, row, { item: known.item, work: null }))
        if (change.aspect === 'state') ledger.record(known, change);
    return null;
  }
  if (row.sharing === 'never') {
    if (known?.author === null) withdraw(store, ledger, known);
    return null;
  }
  const { values } = row;
  const work = 'work' in values.text ? shareRow(store, ledger, 'work-item', Number(values.text.work)) : null;
  if ('work' in values.text && !work) return null;
  // Plans, tasks and handoffs are shared with their work item.
  if (!known && !work && !isDue(row, project)) return null;
  const item = known ?? addItem(store, row, rowId, project.origin);
  for (const change of listChanges(store, row, { item: item.item, work: work?.item ?? null }))
    ledger.record(item, change);
  return item;
}

/** Whether a row that the team does not have yet must be shared. */
export function isDue({ sharing, at }: SharedRow, { since }: TeamProject): boolean {
  return sharing === 'always' || (sharing === 'by project' && at >= since);
}

/** Deletes an item that became private for the others; its row stays here. */
function withdraw(store: TeamStore, ledger: Ledger, item: TeamItem): void {
  ledger.recordDeletion(item);
  store.saveTeamItem({ ...item, author: null, rowId: null, isDead: true });
}

function addItem(store: TeamStore, row: SharedRow, rowId: number, origin: string): TeamItem {
  const { projectId, what } = row;
  const item = {
    item: chooseId(store, row, rowId, origin),
    projectId,
    what,
    rowId,
    author: null,
    isDead: false,
  };
  store.saveTeamItem(item);
  // Others may have the memories that it replaced, but do not know their replacement yet.
  if (what === 'memory')
    for (const replaced of store.listReplacedBy(rowId)) store.markRow('memory', replaced);
  return item;
}

/**
 * Derives an id that is the same in a copy of this home, and in this home after a restore from a backup: rows that were
 * not sent before the copy are not shared twice. A row that is shared again after it was withdrawn gets a new id. The
 * title distinguishes rows that a home and its copy write in the same millisecond.
 */
function chooseId(store: TeamStore, { what, at, values }: SharedRow, rowId: number, origin: string): string {
  const { text } = values;
  const title = 'title' in text ? text.title : 'subject' in text ? text.subject : '';
  const id = deriveId(`${origin} ${what} ${rowId} ${at} ${title}`);
  return store.getTeamItem(id) ? newId() : id;
}

/** The aspects whose value differs from the team's. */
function listChanges(
  store: TeamStore,
  row: SharedRow,
  { item, work }: { item: string; work: string | null },
): ChangeValue[] {
  const registers = new Map(store.listRegisters(item).map((register) => [register.aspect, register]));
  return describeRow(store, row, work).filter((change) => {
    const register = registers.get(change.aspect);
    if (register?.isHeld) return change.value !== null;
    if (register) return register.value !== fingerprint(change);
    return change.aspect === 'text' || !isDefault(change);
  });
}

/** The value of each aspect of a row, in the form of changes. */
export function describeRow(
  store: TeamStore,
  { what, values }: SharedRow,
  work: string | null,
): ChangeValue[] {
  const { text, pin, supersededBy, state } = values;
  const changes: ChangeValue[] = [
    { aspect: 'text', what, value: 'work' in text && work !== null ? { ...text, work } : text },
  ];
  if (pin !== undefined) changes.push({ aspect: 'pin', what, value: pin });
  if (supersededBy !== undefined) {
    const by = supersededBy === null ? null : store.findTeamItem('memory', supersededBy);
    changes.push({ aspect: 'supersession', what, value: by && !by.isDead ? by.item : null });
  }
  if (state !== undefined) changes.push({ aspect: 'state', what, value: state });
  return changes;
}

/** The value of a new row, which is not sent. */
function isDefault({ aspect, value }: ChangeValue): boolean {
  return aspect === 'state' ? isFirstState(value) : value === null;
}

function isFirstState(state: SharedState): boolean {
  if ('closedAt' in state) return state.closedAt === null;
  if ('plan' in state) return state.plan === 'proposed';
  if ('task' in state) return state.task === 'open';
  return 'handoff' in state ? state.handoff === 'staged' : !state.isWithdrawn;
}
