import { redactValue } from '../../capture/redact/redact-value.ts';
import type { Redacted } from '../../model/redacted.ts';
import type { Store } from '../../store/store.ts';
import type { SharedState, SharedText, TeamItem, TeamProject, TeamRegister } from '../../store/types/team.ts';
import { ASPECTS, type FeedChange } from '../feed.ts';
import { describeRow } from './collect.ts';
import { digestChange, equalBytes } from './digest.ts';
import { compareStamped } from './hybrid-clock.ts';
import { type ChangeValue, decodePayload, fingerprint, isWithdrawal, UnusableChange } from './payload.ts';
import { settleHeld, writeSupersession } from './supersession.ts';

export interface ApplyOptions {
  store: Store;
  project: TeamProject;
  now: number;
}

type Value<A extends ChangeValue['aspect']> = Extract<ChangeValue, { aspect: A }>['value'];

/**
 * Applies one change of the feed; applying it again changes nothing. A text becomes an ordinary row. A deletion only
 * marks the item: its row is forgotten afterwards, because that rewrites files.
 * @throws UnusableChange
 */
export function applyChange(options: ApplyOptions, change: FeedChange): void {
  const { store, project } = options;
  checkChange(project, change);
  const known = store.getTeamItem(change.item);
  // Rights are per project: a member who may write this one must not change another.
  if (known && known.projectId !== project.projectId)
    throw new UnusableChange('bad', 'it is about an item of another project');
  if (known?.isDead) {
    // The deletion's number tells which machines have confirmed it.
    if (change.aspect === 'deletion') store.saveRegister(registerOf(change, change.seq, false));
    return;
  }
  if (change.aspect === 'deletion') {
    if (!known) store.saveTeamItem(itemOf(project, change, { what: 'memory', isDead: true }));
    store.killTeamItem(change.item);
    store.saveRegister(registerOf(change, change.seq, false));
    // A memory is forgotten after this transaction, because that searches every file.
    if (known?.rowId != null && known.what !== 'memory') removeRow(store, { ...known, isDead: true });
    return;
  }
  // The server stripped the payload for a later deletion, or refused it.
  if (!change.payload) return;
  const decoded = decodePayload(change.aspect, change.payload);
  if (known && known.what !== decoded.what) throw new UnusableChange('bad', `it is not a ${known.what}`);
  const item = known ?? itemOf(project, change, { what: decoded.what, isDead: false });
  const winner = store.getRegister(change.item, change.aspect);
  const order = winner ? compareStamped(change, winner) : 1;
  if (order < 0 && decoded.aspect === 'text') keepText(store, item, change, decoded.value);
  if (order <= 0) return;
  switch (decoded.aspect) {
    case 'text':
      applyText(options, item, change, decoded.value, winner);
      break;
    case 'state':
      applyState(options, item, change, decoded.value);
      break;
    case 'pin':
      if (!known) store.saveTeamItem(labelled(item));
      store.saveRegister(registerOf(change, fingerprint(decoded), item.rowId === null));
      if (item.rowId !== null) store.writeSharedPin(item.rowId, decoded.value);
      break;
    case 'supersession':
      if (!known) store.saveTeamItem(labelled(item));
      store.saveRegister(registerOf(change, fingerprint(decoded), item.rowId === null));
      writeSupersession(store, change.item, options.now);
      settleHeld(store, options.now);
  }
}

function checkChange(project: TeamProject, change: FeedChange): void {
  if (!ASPECTS.includes(change.aspect))
    throw new UnusableChange('unknown', 'this Cairn does not know what it changes');
  if (change.unopened === 'no-key')
    throw new UnusableChange('sealed', `its key is not here yet (epoch ${change.keyEpoch})`);
  if (change.unopened)
    throw new UnusableChange('bad', 'it was changed on the server, or is sealed for another place');
  const isWhole = change.payload !== null || change.aspect === 'deletion';
  if (isWhole && !equalBytes(change.digest, digestChange(project.digestKey, change)))
    throw new UnusableChange('bad', 'its digest does not fit');
}

function applyText(
  options: ApplyOptions,
  known: TeamItem,
  change: FeedChange,
  text: SharedText,
  before: TeamRegister | null,
): void {
  const { store, project, now } = options;
  const state = store.getRegister(known.item, 'state');
  const isWithdrawn = state !== null && isWithdrawal(state) && compareStamped(state, change) > 0;
  if (isWithdrawn) {
    store.saveTeamItem(labelled(known));
    store.saveRegister(registerOf(change, fingerprint({ aspect: 'text', value: text }), false));
    return;
  }
  const workId = 'work' in text ? findWork(options, String(text.work)) : null;
  if (before && known.rowId !== null) keepCurrentText(store, known, before);
  const clean: Redacted<SharedText> = redactValue(text);
  const isFirst = known.rowId === null && !before;
  const place = { projectId: project.projectId, workId };
  const adopted = isFirst ? store.findUnlinkedRow(clean, place) : null;
  const kept = adopted === null ? null : store.readSharedRow(known.what, adopted)?.values.text;
  // The text was edited since, here or on another machine.
  if (kept && fingerprint({ aspect: 'text', value: kept }) !== fingerprint({ aspect: 'text', value: text }))
    keepText(
      store,
      known,
      { ...change, origin: project.origin, author: store.getTeam()?.member ?? '' },
      kept,
    );
  const rowId = store.writeSharedText(clean, { ...place, rowId: adopted ?? known.rowId, now });
  // The author of the first text is the author of the item. An adopted row of this member was made here.
  const isMadeHere = adopted !== null && change.author === store.getTeam()?.member;
  const author = isFirst ? (isMadeHere ? null : change.author) : known.author;
  const item = { ...known, rowId, author };
  store.saveTeamItem(labelled(item));
  store.saveRegister(registerOf(change, readFingerprint(store, item), false));
  if (known.rowId === null) applyHeld(options, item);
}

function findWork({ store, project }: ApplyOptions, uuid: string): number {
  const work = store.getTeamItem(uuid);
  if (work?.rowId == null || work.projectId !== project.projectId)
    throw new UnusableChange('waiting', 'its work item is not here');
  return work.rowId;
}

/** Applies aspects that were received before the text. */
function applyHeld({ store, now }: ApplyOptions, { item, what, rowId }: TeamItem): void {
  if (rowId === null) return;
  for (const register of store.listRegisters(item)) {
    if (register.aspect === 'pin') store.writeSharedPin(rowId, JSON.parse(register.value));
    if (register.aspect === 'state') store.writeSharedState(what, rowId, redactValue(stateIn(register)), now);
    if (register.aspect === 'supersession') writeSupersession(store, item, now);
    else if (register.isHeld) store.saveRegister({ ...labelled(register), isHeld: false });
  }
  settleHeld(store, now);
}

/** A withdrawn memory loses its row, unless a later text was received. */
function applyState(
  { store, now }: ApplyOptions,
  item: TeamItem,
  change: FeedChange,
  state: Value<'state'>,
): void {
  const value = fingerprint({ aspect: 'state', value: state });
  const register = registerOf(change, value, item.rowId === null);
  store.saveTeamItem(labelled(item));
  store.saveRegister(register);
  if (item.rowId === null) return;
  const text = store.getRegister(item.item, 'text');
  if (!isWithdrawal(register)) store.writeSharedState(item.what, item.rowId, redactValue(state), now);
  else if (!text || compareStamped(text, change) < 0) removeRow(store, item);
}

function removeRow(store: Store, item: TeamItem): void {
  if (item.rowId !== null) store.removeSharedRow(item.what, item.rowId);
  store.saveTeamItem({ ...labelled(item), rowId: null });
}

function stateIn({ value }: TeamRegister): SharedState {
  return JSON.parse(value);
}

/** The fingerprint of the row as stored, which may have been cut or redacted. */
function readFingerprint(store: Store, { what, rowId }: TeamItem): string {
  const row = rowId === null ? null : store.readSharedRow(what, rowId);
  if (!row) return '';
  const { text } = row.values;
  const work = 'work' in text ? (store.findTeamItem('work-item', Number(text.work))?.item ?? null) : null;
  const [described] = describeRow(store, row, work);
  return described ? fingerprint(described) : '';
}

/** Keeps the losing text in the history of a memory. */
function keepText(store: Store, { item, what }: TeamItem, change: FeedChange, text: SharedText): void {
  if (what !== 'memory') return;
  const { hlc, origin, author } = change;
  store.addEarlierText(item, { hlc, author, text: redactValue(JSON.stringify(text)) }, origin);
}

function keepCurrentText(
  store: Store,
  { item, what, rowId }: TeamItem,
  { hlc, origin, author }: TeamRegister,
): void {
  const row = what === 'memory' && rowId !== null ? store.readSharedRow(what, rowId) : null;
  if (row)
    store.addEarlierText(item, { hlc, author, text: redactValue(JSON.stringify(row.values.text)) }, origin);
}

function itemOf(
  { projectId }: TeamProject,
  { item, author }: FeedChange,
  rest: Pick<TeamItem, 'what' | 'isDead'>,
): TeamItem & { author: Redacted } {
  return { item, projectId, rowId: null, author: redactValue(author), ...rest };
}

function registerOf({ item, aspect, hlc, origin, author }: FeedChange, value: string, isHeld: boolean) {
  return { item, aspect, hlc, origin, author: redactValue(author), value, isHeld };
}

function labelled<T extends { author: string | null }>(
  value: T,
): Omit<T, 'author'> & { author: Redacted | null } {
  return { ...value, author: value.author === null ? null : redactValue(value.author) };
}
