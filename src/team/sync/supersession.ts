import type { Store } from '../../store/store.ts';
import type { TeamRegister } from '../../store/types/team.ts';
import { compareStamped } from './hybrid-clock.ts';

/**
 * Writes into the row of a memory what replaced it. It is held while that is not here. Two members may each replace
 * one memory by the other's: of such a circle the earliest link is held, on every machine the same.
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

/** Tries again what was held, after something came or changed. */
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

/** The links from this one back to itself; empty without a circle. */
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
