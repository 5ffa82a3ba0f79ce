import type { Redacted } from '../../model/redacted.ts';
import type { Plan, PlanState } from '../../model/work.ts';
import type { NewPlan } from '../types/work.ts';
import { type Database, inTransaction } from './open.ts';
import { touchWorkItem } from './work-items.ts';

const PLAN = `
  SELECT id, work_id AS workId, version, state, text, hash, agent_session AS agentSession, at, decided_at AS decidedAt
  FROM plans`;

export function createPlanQueries(db: Database) {
  return {
    addPlan: (plan: Redacted<NewPlan>): Plan => inTransaction(db, () => addPlan(db, plan)),
    setPlanState: (id: number, state: PlanState, at: number): void =>
      inTransaction(db, () => setPlanState(db, id, state, at)),
    listPlans: (workId: number): Plan[] => selectPlans(db, 'work_id = ? ORDER BY version DESC', workId),
    findAcceptedPlan: (workId: number): Plan | null =>
      selectPlans(db, "work_id = ? AND state = 'accepted' ORDER BY version DESC LIMIT 1", workId)[0] ?? null,
  };
}

function addPlan(db: Database, plan: NewPlan): Plan {
  const { workId, text, hash, state, agentSession, at } = plan;
  const added = db
    .prepare(`
      INSERT INTO plans (work_id, version, state, text, hash, agent_session, at, decided_at)
      SELECT ?1, coalesce(max(version), 0) + 1, ?2, ?3, ?4, ?5, ?6, ?7 FROM plans WHERE work_id = ?1`)
    .run(workId, state, text, hash, agentSession, at, state === 'proposed' ? null : at);
  const id = Number(added.lastInsertRowid);
  if (state === 'accepted') replaceOthers(db, id);
  touchWorkItem(db, workId, at);
  return requirePlan(db, id);
}

function setPlanState(db: Database, id: number, state: PlanState, at: number): void {
  const plan = requirePlan(db, id);
  if (plan.state === state) return;
  // The time of the decision: finishing or replacing the plan later does not change it.
  const decidedAt = state === 'accepted' || state === 'refused' ? at : plan.decidedAt;
  db.prepare('UPDATE plans SET state = ?, decided_at = ? WHERE id = ?').run(state, decidedAt, id);
  if (state === 'accepted') replaceOthers(db, id);
  touchWorkItem(db, plan.workId, at);
}

/** Only one plan is accepted at a time. */
function replaceOthers(db: Database, id: number): void {
  db.prepare(`
    UPDATE plans SET state = 'replaced' FROM plans AS accepted
    WHERE accepted.id = ? AND plans.work_id = accepted.work_id AND plans.id <> accepted.id
      AND (plans.state = 'accepted' OR (plans.state = 'proposed' AND plans.version < accepted.version))`).run(
    id,
  );
}

export function selectPlans(db: Database, where: string, value: number): Plan[] {
  const rows = db.prepare<Plan>(`${PLAN} WHERE ${where}`).all(value);
  return rows.map((row) => ({ ...row }));
}

function requirePlan(db: Database, id: number): Plan {
  const [plan] = selectPlans(db, 'id = ?', id);
  if (!plan) throw new Error(`There is no plan with the number ${id}.`);
  return plan;
}
