import { createFollowQueries } from './follow.ts';
import { createHandoffQueries } from './handoffs.ts';
import { type Database, inTransaction } from './open.ts';
import { createPlanQueries } from './plans.ts';
import { createTaskQueries } from './tasks.ts';
import { createWorkItemQueries } from './work-items.ts';
import { createWorkSessionQueries } from './work-sessions.ts';

/** Work items with their sessions, plans, tasks and handoffs. Changes must be mirrored afterwards. */
export function createContinuityQueries(db: Database) {
  return {
    ...createWorkItemQueries(db),
    ...createWorkSessionQueries(db),
    ...createPlanQueries(db),
    ...createTaskQueries(db),
    ...createHandoffQueries(db),
    ...createFollowQueries(db),
    /** A transaction. Nested calls, also of other parts of the store, belong to it. */
    runInTransaction: <T>(work: () => T): T => inTransaction(db, work),
  };
}
