import type { Redacted } from '../../model/redacted.ts';
import type { OutboxChange, SharedKind } from '../types/team.ts';
import { type Database, inTransaction } from './open.ts';
import { type CountRow, countRows, requireRow } from './rows.ts';

const CHANGE = `
  SELECT project_id AS projectId, origin, n, item, aspect, hlc, after, digest, payload, key_epoch AS keyEpoch, tokens,
    is_acknowledged AS isAcknowledged, seq, refusal FROM team_outbox`;

type ChangeRow = Omit<OutboxChange, 'tokens' | 'isAcknowledged'> & { tokens: string; isAcknowledged: number };

/** This home's changes, in the order in which the server receives them. */
export function createTeamOutboxQueries(db: Database) {
  return {
    /** Rows of shared projects that have changed. */
    listMarkedRows: (limit: number): { what: SharedKind; rowId: number }[] =>
      db
        .prepare<{ what: SharedKind; rowId: number }>(
          'SELECT what, row_id AS rowId FROM team_pending LIMIT ?',
        )
        .all(limit)
        .map((row) => ({ ...row })),
    markRow: (what: SharedKind, rowId: number): void => {
      db.prepare('INSERT OR IGNORE INTO team_pending VALUES (?, ?)').run(what, rowId);
    },
    /** Marks the plans, tasks and handoffs of a work item. */
    markParts: (workId: number): void => {
      for (const what of ['plan', 'task', 'handoff'])
        db.prepare(
          `INSERT OR IGNORE INTO team_pending SELECT '${what}', id FROM ${what}s WHERE work_id = ?`,
        ).run(workId);
    },
    unmarkRow: (what: SharedKind, rowId: number): void => {
      db.prepare('DELETE FROM team_pending WHERE what = ? AND row_id = ?').run(what, rowId);
    },
    /** Marks all rows of a project, including past ones. */
    markProject: (projectId: number): void =>
      inTransaction(db, () => {
        for (const { what, rows } of ROWS_OF_PROJECT)
          db.prepare(`INSERT OR IGNORE INTO team_pending SELECT '${what}', id FROM (${rows})`).run(projectId);
      }),
    /** Counts memories and work items made before then that are not shared. */
    countUnshared: (projectId: number, before: number): { memories: number; workItems: number } => {
      const count = (what: string, sql: string) =>
        requireRow(
          db
            .prepare<CountRow>(`
              SELECT count(*) AS count FROM (${sql}) r WHERE NOT EXISTS (
                SELECT 1 FROM team_items i WHERE i.what = '${what}' AND i.row_id = r.id)`)
            .get(projectId, before),
        ).count;
      return {
        memories: count('memory', `${MEMORIES} AND scope <> 'global' AND at < ?2`),
        workItems: count('work-item', `${WORKS} AND opened_at < ?2`),
      };
    },
    /** The payload must have been made from a redacted value. */
    addOutboxChange: (change: OutboxChange): void => addChange(db, change),
    /** Changes from number `from` on, in order. */
    listOutbox: (projectId: number, origin: string, from: number, limit: number): OutboxChange[] =>
      selectChanges(
        db,
        'project_id = ? AND origin = ? AND n >= ? ORDER BY n LIMIT ?',
        ...[projectId, origin, from, limit],
      ),
    /** Changes that the server does not have, of all origins of this home. */
    listUnacknowledged: (projectId: number): OutboxChange[] =>
      selectChanges(db, 'project_id = ? AND NOT is_acknowledged ORDER BY origin, n', projectId),
    /** Replaces a change by one with another origin or stamp, and updates its register. */
    replaceOutboxChange: (old: OutboxChange, change: OutboxChange): void =>
      inTransaction(db, () => {
        removeChange(db, old);
        addChange(db, change);
        db.prepare(`
          UPDATE team_registers SET hlc = ?, origin = ? WHERE item = ? AND aspect = ? AND hlc = ? AND origin = ?`).run(
          ...[change.hlc, change.origin, old.item, old.aspect, old.hlc, old.origin],
        );
      }),
    listRefused: (limit: number): OutboxChange[] =>
      selectChanges(db, 'refusal IS NOT NULL ORDER BY project_id, n LIMIT ?', limit),
    findOutboxChange: (projectId: number, origin: string, n: number): OutboxChange | null =>
      selectChanges(db, 'project_id = ? AND origin = ? AND n = ?', projectId, origin, n)[0] ?? null,
    /** Records that the server has the changes up to `last`, and not the rest. */
    setAcknowledged: (projectId: number, origin: string, last: number): void => {
      db.prepare(`
        UPDATE team_outbox SET is_acknowledged = n <= ?3
        WHERE project_id = ?1 AND origin = ?2 AND is_acknowledged <> (n <= ?3)`).run(projectId, origin, last);
    },
    /** Records that the change was read in the feed. */
    setOutboxSeq: (projectId: number, origin: string, n: number, seq: number): void => {
      db.prepare(
        'UPDATE team_outbox SET seq = ?, is_acknowledged = 1 WHERE project_id = ? AND origin = ? AND n = ?',
      ).run(seq, projectId, origin, n);
    },
    /** Before the feed is read again from the start. */
    forgetOutboxSeqs: (projectId: number): void => {
      db.prepare('UPDATE team_outbox SET seq = NULL WHERE project_id = ?').run(projectId);
    },
    /** After the whole feed was read: sends acknowledged changes again that the server has lost. */
    resendUnseen: (projectId: number): void => {
      db.prepare(
        'UPDATE team_outbox SET is_acknowledged = 0 WHERE project_id = ? AND seq IS NULL AND is_acknowledged',
      ).run(projectId);
    },
    /** The latest stamp that the server has accepted, from this home or another. */
    findLatestStamp: (): string =>
      db
        .prepare<{ hlc: string }>(`
          SELECT hlc FROM (
            SELECT hlc FROM team_outbox WHERE is_acknowledged
            UNION ALL SELECT hlc FROM team_registers r WHERE NOT EXISTS (
              SELECT 1 FROM team_outbox o
              WHERE o.item = r.item AND o.aspect = r.aspect AND o.hlc = r.hlc AND NOT o.is_acknowledged))
          ORDER BY length(hlc) DESC, hlc DESC LIMIT 1`)
        .get()?.hlc ?? '0',
    setRefusal: (projectId: number, origin: string, n: number, refusal: Redacted | null): void => {
      db.prepare('UPDATE team_outbox SET refusal = ? WHERE project_id = ? AND origin = ? AND n = ?').run(
        ...[refusal, projectId, origin, n],
      );
    },
    countPending: (projectId: number): number =>
      countRows(db, 'team_outbox WHERE NOT is_acknowledged AND project_id = ?', projectId),
  };
}

const IN_PROJECT = 'project_id IN (SELECT id FROM project_roots WHERE root = ?1)';
const MEMORIES = `SELECT id FROM memories WHERE ${IN_PROJECT}`;
const WORKS = `SELECT id FROM works WHERE ${IN_PROJECT}`;
const ROWS_OF_PROJECT = [
  { what: 'memory', rows: MEMORIES },
  { what: 'work-item', rows: WORKS },
  ...['plan', 'task', 'handoff'].map((what) => ({
    what,
    rows: `SELECT id FROM ${what}s WHERE work_id IN (${WORKS})`,
  })),
];

function removeChange(db: Database, { projectId, origin, n }: OutboxChange): void {
  db.prepare('DELETE FROM team_outbox WHERE project_id = ? AND origin = ? AND n = ?').run(
    projectId,
    origin,
    n,
  );
}

function addChange(db: Database, change: OutboxChange): void {
  const { projectId, origin, n, item, aspect, hlc, digest, payload, keyEpoch, tokens } = change;
  db.prepare(`
    INSERT OR REPLACE INTO team_outbox (project_id, origin, n, item, aspect, hlc, after, digest, payload, key_epoch, tokens,
      is_acknowledged, seq, refusal)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`).run(
    ...[projectId, origin, n, item, aspect, hlc, change.after],
    digest,
    payload,
    ...[keyEpoch, JSON.stringify(tokens), Number(change.isAcknowledged), change.seq, change.refusal],
  );
}

function selectChanges(db: Database, where: string, ...values: (string | number)[]): OutboxChange[] {
  return db
    .prepare<ChangeRow>(`${CHANGE} WHERE ${where}`)
    .all(...values)
    .map((row) => ({
      ...row,
      tokens: JSON.parse(row.tokens),
      isAcknowledged: row.isAcknowledged === 1,
    }));
}
