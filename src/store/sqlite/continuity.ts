import type { ContinuityStore } from '../continuity-store.ts';
import { followingOf } from './follow.ts';
import { handoffsOf } from './handoffs.ts';
import { type Database, inTransaction } from './open.ts';
import { plansOf } from './plans.ts';
import { tasksOf } from './tasks.ts';
import { workSessionsOf } from './work-sessions.ts';
import { worksOf } from './works.ts';

export function continuityOf(db: Database): ContinuityStore {
  return {
    ...worksOf(db),
    ...workSessionsOf(db),
    ...plansOf(db),
    ...tasksOf(db),
    ...handoffsOf(db),
    ...followingOf(db),
    atOnce: (work) => inTransaction(db, work),
  };
}
