import type { Redacted } from '../../model/redacted.ts';
import type {
  AsideChange,
  EarlierText,
  GoneItem,
  SharedKind,
  TeamItem,
  TeamRegister,
} from '../types/team.ts';
import { isForgotten } from './forgotten.ts';
import type { Database } from './open.ts';
import type { WithFlags } from './rows.ts';

/** How many earlier versions of a text are kept for its history. */
const TEXTS_KEPT = 20;

/** Only the author is text. Numbers and uuids are not redacted: a redactor could mistake one for a secret. */
type Labelled<T> = Omit<T, 'author'> & { author: Redacted | null };

const ITEM = `SELECT item, project_id AS projectId, what, row_id AS rowId, author, is_dead AS isDead FROM team_items`;
const REGISTER = `SELECT item, aspect, hlc, origin, author, value, is_held AS isHeld FROM team_registers`;

/** Shared items, and the winning value of each of their aspects. */
export function createTeamItemQueries(db: Database) {
  return {
    getTeamItem: (item: string): TeamItem | null => selectItems(db, 'item = ?', item)[0] ?? null,
    findTeamItem: (what: SharedKind, rowId: number): TeamItem | null =>
      selectItems(db, 'what = ? AND row_id = ?', what, rowId)[0] ?? null,
    saveTeamItem: ({ item, projectId, what, rowId, author, isDead }: Labelled<TeamItem>): void => {
      db.prepare(`
        INSERT OR REPLACE INTO team_items (item, project_id, what, row_id, author, is_dead) VALUES (?, ?, ?, ?, ?, ?)`).run(
        ...[item, projectId, what, rowId, author, Number(isDead)],
      );
    },
    /** Items removed here whose deletion is not in the outbox yet. */
    listGoneItems: (limit: number): GoneItem[] => [
      ...selectItems(db, 'is_gone = 1 LIMIT ?', limit).map((item) => ({ ...item, isForgotten: false })),
      ...selectItems(db, 'is_gone = 2 LIMIT ?', limit).map((item) => ({ ...item, isForgotten: true })),
    ],
    /** Items that the team deleted, but whose row still exists here. */
    listItemsToForget: (limit: number): TeamItem[] =>
      selectItems(db, 'is_dead AND row_id IS NOT NULL LIMIT ?', limit),
    /** The items of a project, ordered by kind and row. */
    listTeamItems: (projectId: number): TeamItem[] =>
      selectItems(db, 'project_id = ? ORDER BY what, row_id', projectId),
    /** The feed numbers of deletions, latest first. */
    listDeletions: (projectId: number, limit: number): number[] =>
      db
        .prepare<{ seq: number }>(`
          SELECT CAST(r.value AS INTEGER) AS seq FROM team_registers r JOIN team_items i ON i.item = r.item
          WHERE i.project_id = ? AND r.aspect = 'deletion' AND r.value <> '' ORDER BY seq DESC LIMIT ?`)
        .all(projectId, limit)
        .map(({ seq }) => seq),
    /** Before the feed is read again from the start. */
    forgetDeletionSeqs: (projectId: number): void => {
      db.prepare(`
        UPDATE team_registers SET value = ''
        WHERE aspect = 'deletion' AND item IN (SELECT item FROM team_items WHERE project_id = ?)`).run(
        projectId,
      );
    },
    /** After the whole feed was read: deletions that came from others and are not in it. */
    listLostDeletions: (projectId: number): TeamItem[] =>
      selectItems(
        db,
        `project_id = ? AND item IN (
          SELECT r.item FROM team_registers r WHERE r.aspect = 'deletion' AND r.value = '' AND NOT EXISTS (
            SELECT 1 FROM team_outbox o WHERE o.item = r.item AND o.aspect = 'deletion'))`,
        projectId,
      ),
    /** Also removes the item's values and texts. The caller removes its row. */
    killTeamItem: (item: string): void => killItem(db, item),
    /** Removes every trace of an item, as if it had never been received. */
    forgetItem: (item: string): void => {
      for (const table of ['team_items', 'team_registers', 'team_texts'])
        db.prepare(`DELETE FROM ${table} WHERE item = ?`).run(item);
    },
    listRegisters: (item: string): TeamRegister[] => selectRegisters(db, 'item = ?', item),
    getRegister: (item: string, aspect: string): TeamRegister | null =>
      selectRegisters(db, 'item = ? AND aspect = ?', item, aspect)[0] ?? null,
    listHeldRegisters: (): TeamRegister[] => selectRegisters(db, 'is_held'),
    saveRegister: (register: Labelled<TeamRegister>): void => saveRegister(db, register),
    /** Keeps a text for the history of the memory, unless it contains something forgotten. */
    addEarlierText: (item: string, earlier: EarlierText & { text: Redacted }, origin: string): void =>
      addEarlierText(db, item, earlier, origin),
    listEarlierTexts: (item: string): EarlierText[] =>
      db
        .prepare<EarlierText>(
          'SELECT hlc, author, text FROM team_texts WHERE item = ? ORDER BY length(hlc) DESC, hlc DESC',
        )
        .all(item)
        .map((row) => ({ ...row })),
    setAside: (
      { projectId, seq, reason, problem, change, at }: AsideChange & { problem: Redacted },
      item: string,
    ): void => {
      db.prepare(`
        INSERT OR REPLACE INTO team_aside (project_id, seq, item, reason, problem, change, at) VALUES (?, ?, ?, ?, ?, ?, ?)`).run(
        ...[projectId, seq, item, reason, problem, change, at],
      );
    },
    listAside: (limit: number): AsideChange[] =>
      db
        .prepare<AsideChange>(
          'SELECT project_id AS projectId, seq, reason, problem, change, at FROM team_aside ORDER BY at, seq LIMIT ?',
        )
        .all(limit)
        .map((row) => ({ ...row })),
    removeAside: (projectId: number, seq: number): void => {
      db.prepare('DELETE FROM team_aside WHERE project_id = ? AND seq = ?').run(projectId, seq);
    },
  };
}

export function selectItems(db: Database, where: string, ...values: (string | number)[]): TeamItem[] {
  return db
    .prepare<WithFlags<TeamItem, 'isDead'>>(`${ITEM} WHERE ${where}`)
    .all(...values)
    .map((row) => ({ ...row, isDead: row.isDead === 1 }));
}

export function selectRegisters(db: Database, where: string, ...values: string[]): TeamRegister[] {
  return db
    .prepare<WithFlags<TeamRegister, 'isHeld'>>(`${REGISTER} WHERE ${where}`)
    .all(...values)
    .map((row) => ({ ...row, isHeld: row.isHeld === 1 }));
}

function saveRegister(db: Database, register: TeamRegister): void {
  const { item, aspect, hlc, origin, author, value, isHeld } = register;
  db.prepare('INSERT OR REPLACE INTO team_registers VALUES (?, ?, ?, ?, ?, ?, ?)').run(
    ...[item, aspect, hlc, origin, author, value, Number(isHeld)],
  );
}

export function killItem(db: Database, item: string): void {
  db.prepare('UPDATE team_items SET is_dead = 1, is_gone = 0 WHERE item = ?').run(item);
  db.prepare("DELETE FROM team_registers WHERE item = ? AND aspect <> 'deletion'").run(item);
  for (const table of ['team_texts', 'team_aside'])
    db.prepare(`DELETE FROM ${table} WHERE item = ?`).run(item);
  db.prepare("UPDATE team_outbox SET payload = NULL, tokens = '[]' WHERE item = ?").run(item);
}

function addEarlierText(db: Database, item: string, earlier: EarlierText, origin: string): void {
  const { hlc, author, text } = earlier;
  const { title, narrative, facts } = JSON.parse(text);
  if (isForgotten(db, { text: [title, narrative, ...(facts ?? [])].join('\n') })) return;
  db.prepare('INSERT OR IGNORE INTO team_texts VALUES (?, ?, ?, ?, ?)').run(item, hlc, origin, author, text);
  db.prepare(`
    DELETE FROM team_texts WHERE item = ?1 AND hlc NOT IN (
      SELECT hlc FROM team_texts WHERE item = ?1 ORDER BY length(hlc) DESC, hlc DESC LIMIT ?2)`).run(
    item,
    TEXTS_KEPT,
  );
}
