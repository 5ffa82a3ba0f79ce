import { parseRole } from '../indexing/role.ts';
import type { RankedMatch } from './calibrate.ts';

/** What each further turn of a session loses to the first turn of another. */
const FURTHER_TURN = 0.3;

/**
 * The order or an overview of what a person told an agent needs several sessions, so a session that matches well should
 * not fill the answer by itself. Between people, one discussion often is the answer. Expects the best first.
 */
export function spreadOverSessions(ranked: RankedMatch[]): void {
  const turns = new Map<number, number>();
  for (const hit of ranked) {
    const { sessionId, title, saidBy } = hit.match.doc;
    if (sessionId === null || title !== '' || parseRole(saidBy) === null) continue;
    const before = turns.get(sessionId) ?? 0;
    hit.total -= FURTHER_TURN * before;
    turns.set(sessionId, before + 1);
  }
}
