import type { Database } from './open.ts';
import { listPrimaryTables } from './rebuild-damaged.ts';

type Value = string | number | null;
type Row = Record<string, Value>;

/** One inserted, deleted or updated row, with what is needed to undo it. */
export interface RowChange {
  table: string;
  /** The primary key after the change. */
  key: Row;
  /** Null: the row was inserted. For an update only the changed columns. */
  before: Row | null;
  /** Null: the row was deleted. */
  after: Row | null;
}

/** Records every row change by triggers of this connection until `end`, within one transaction. */
export function recordChanges(db: Database): { end(): RowChange[] } {
  const tables = listPrimaryTables(db)
    // Rows of the team's tables are not restored: restored memories are shared again as new ones.
    .filter((table) => table !== 'trash' && !table.startsWith('team'))
    .map((name) => describeTable(db, name));
  db.exec('CREATE TEMP TABLE row_changes (id INTEGER PRIMARY KEY, tab TEXT, old TEXT, new TEXT)');
  for (const { name, columns } of tables) {
    const row = (which: 'old' | 'new') =>
      `json_object(${columns.map((column) => `'${column}', ${which}."${column}"`).join(', ')})`;
    for (const [event, old, fresh] of [
      ['INSERT', 'NULL', row('new')],
      ['UPDATE', row('old'), row('new')],
      ['DELETE', row('old'), 'NULL'],
    ])
      db.exec(`CREATE TEMP TRIGGER record_${name}_${event} AFTER ${event} ON main.${name} BEGIN
        INSERT INTO row_changes (tab, old, new) VALUES ('${name}', ${old}, ${fresh}); END`);
  }
  return {
    end() {
      const rows = db.prepare<Recorded>('SELECT tab, old, new FROM row_changes ORDER BY id').all();
      for (const { name } of tables)
        for (const event of ['INSERT', 'UPDATE', 'DELETE'])
          db.exec(`DROP TRIGGER temp.record_${name}_${event}`);
      db.exec('DROP TABLE temp.row_changes');
      const keys = new Map(tables.map(({ name, key }) => [name, key]));
      return rows.flatMap((row) => changeFrom(row, keys.get(row.tab) ?? []));
    },
  };
}

/**
 * Undoes changes, the last one first. A column that was changed again since then keeps its new value, and a row that
 * conflicts with a newer one is not restored.
 */
export function undoChanges(db: Database, changes: RowChange[]): void {
  // A child row may be restored before its parent.
  db.exec('PRAGMA defer_foreign_keys = ON');
  for (const { table, key, before, after } of changes.toReversed()) {
    const isThisRow = Object.keys(key).map((column) => `"${column}" IS ?`);
    if (before === null)
      db.prepare(`DELETE FROM ${table} WHERE ${isThisRow.join(' AND ')}`).run(...Object.values(key));
    else if (after === null) {
      const columns = Object.keys(before).map((column) => `"${column}"`);
      db.prepare(
        `INSERT OR IGNORE INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
      ).run(...Object.values(before));
    } else
      for (const [column, value] of Object.entries(before))
        db.prepare(
          `UPDATE OR IGNORE ${table} SET "${column}" = ? WHERE ${isThisRow.join(' AND ')} AND "${column}" IS ?`,
        ).run(value, ...Object.values(key), after[column] ?? null);
  }
}

interface Recorded {
  tab: string;
  old: string | null;
  new: string | null;
}

function changeFrom(recorded: Recorded, keyColumns: string[]): RowChange[] {
  const before: Row | null = recorded.old === null ? null : JSON.parse(recorded.old);
  const after: Row | null = recorded.new === null ? null : JSON.parse(recorded.new);
  const key = pickColumns(after ?? before ?? {}, (column) => keyColumns.includes(column));
  if (!before || !after) return [{ table: recorded.tab, key, before, after: after && {} }];
  const hasChanged = (column: string) => before[column] !== after[column];
  const changed = pickColumns(before, hasChanged);
  if (Object.keys(changed).length === 0) return [];
  return [{ table: recorded.tab, key, before: changed, after: pickColumns(after, hasChanged) }];
}

function pickColumns(row: Row, isWanted: (column: string) => boolean): Row {
  return Object.fromEntries(Object.entries(row).filter(([column]) => isWanted(column)));
}

function describeTable(db: Database, name: string): { name: string; columns: string[]; key: string[] } {
  const rows = db.prepare<{ name: string; pk: number }>(`PRAGMA table_info(${name})`).all();
  return {
    name,
    columns: rows.map((row) => row.name),
    key: rows.filter((row) => row.pk > 0).map((row) => row.name),
  };
}
