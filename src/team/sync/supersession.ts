import type { Store } from '../../store/store.ts';
import type { TeamRegister } from '../../store/types/team.ts';
import { compareStamped } from './hybrid-clock.ts';

/**
 * Writes the replacement of a memory into its row. The change is held while the replacement is not here. Two members
 * may each replace one memory by the other's: every machine then holds the earliest link of such a cycle.
 */
export function writeSupersession(store: Store, item: string, now: number): void {
  const register = store.getRegister(item, 'supersession');
  const rowId = store.getTeamItem(item)?.rowId ?? null;
  if (!register || rowId === null) return;
  const by = successorOf(register);
  const successor = by === null ? null : (store.getTeamItem(by)?.rowId ?? null);
  const circle = by === null ? [] : findCircle(store, register);
  const [earliest] = circle.sort(compareStamped);
  const isEarliest = earliest?.item === item;
  if (earliest && !isEarliest) hold(store, earliest, now);
  const isHeld = isEarliest || (by !== null && successor === null);
  store.writeSharedSupersession(rowId, isHeld ? null : successor, now);
  saveHeld(store, register, isHeld);
}

/** Retries held supersessions after something was received or changed. */
export function settleHeld(store: Store, now: number): void {
  for (const register of store.listHeldRegisters())
    if (register.aspect === 'supersession') writeSupersession(store, register.item, now);
}

function hold(store: Store, register: TeamRegister, now: number): void {
  const rowId = store.getTeamItem(register.item)?.rowId ?? null;
  if (rowId !== null) store.writeSharedSupersession(rowId, null, now);
  saveHeld(store, register, true);
}

function saveHeld(store: Store, register: TeamRegister, isHeld: boolean): void {
  if (register.isHeld !== isHeld) store.saveRegister({ ...register, author: null, isHeld });
}

/** The links from `start` back to itself; empty if there is no cycle. */
function findCircle(store: Store, start: TeamRegister): TeamRegister[] {
  const links = [start];
  const seen = new Set([start.item]);
  for (let next = successorOf(start); next !== null; ) {
    if (next === start.item) return links;
    if (seen.has(next)) return [];
    seen.add(next);
    const link = store.getRegister(next, 'supersession');
    if (!link) return [];
    links.push(link);
    next = successorOf(link);
  }
  return [];
}

function successorOf({ value }: TeamRegister): string | null {
  return JSON.parse(value);
}
