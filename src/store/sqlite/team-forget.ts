import { containsWording, textOfJson, type Wording } from '../../model/wording.ts';
import type { Database } from './open.ts';
import { countRows, type IdRow } from './rows.ts';
import { killItem, selectItems } from './team-items.ts';

/**
 * Prepares the team's changes when something is forgotten here: its item is deleted, and items that lost a sentence
 * are replaced by new ones, because the server keeps earlier texts of items that exist.
 */
export function watchForgotten(db: Database) {
  const isInTeam = countRows(db, 'team') > 0;
  const goneBefore = new Set(isInTeam ? listGone(db) : []);
  const markedBefore = new Set(isInTeam ? listMarked(db) : []);

  return {
    /** `cut`: the memories that lost a sentence. */
    end(wording: Wording, cut: number[]): void {
      if (!isInTeam) return;
      const forget = db.prepare('UPDATE team_items SET is_gone = 2 WHERE item = ?');
      for (const item of listGone(db)) if (!goneBefore.has(item)) forget.run(item);
      // A memory may also be marked because its replacement changed.
      const isCut = (mark: string) => !mark.startsWith('memory ') || cut.includes(Number(mark.slice(7)));
      for (const mark of listMarked(db)) if (!markedBefore.has(mark) && isCut(mark)) renewItem(db, mark);
      forgetTexts(db, wording);
    },
  };
}

function listGone(db: Database): string[] {
  return selectItems(db, 'is_gone').map(({ item }) => item);
}

function listMarked(db: Database): string[] {
  return db
    .prepare<{ mark: string }>("SELECT what || ' ' || row_id AS mark FROM team_pending")
    .all()
    .map(({ mark }) => mark);
}

/** Replaces an own item by a new one. A colleague's item is kept: the cut becomes an edit of it. */
function renewItem(db: Database, mark: string): void {
  const [what = '', id = ''] = mark.split(' ');
  const rowId = Number(id);
  const [known] = selectItems(db, 'what = ? AND row_id = ? AND author IS NULL', what, rowId);
  if (!known) return;
  killItem(db, known.item);
  db.prepare('UPDATE team_items SET row_id = NULL, is_dead = 0, is_gone = 2 WHERE item = ?').run(known.item);
  db.prepare('INSERT OR IGNORE INTO team_pending VALUES (?, ?)').run(what, rowId);
  // Plans, tasks and handoffs refer to the item of their work item.
  if (what === 'work-item') for (const part of listParts(db, rowId)) renewItem(db, part);
}

function listParts(db: Database, workId: number): string[] {
  return ['plan', 'task', 'handoff'].flatMap((what) =>
    db
      .prepare<IdRow>(`SELECT id FROM ${what}s WHERE work_id = ?`)
      .all(workId)
      .map(({ id }) => `${what} ${id}`),
  );
}

/** Earlier texts, changes set aside and the outbox may contain the forgotten text, too. */
function forgetTexts(db: Database, wording: Wording): void {
  for (const [table, column] of [
    ['team_texts', 'text'],
    ['team_aside', 'change'],
  ]) {
    const rows = db
      .prepare<{ item: string; text: string }>(`SELECT item, ${column} AS text FROM ${table}`)
      .all();
    const remove = db.prepare(`DELETE FROM ${table} WHERE item = ? AND ${column} = ?`);
    for (const { item, text } of rows) if (containsWording(textOfJson(text), wording)) remove.run(item, text);
  }
  const saysIt = (payload: Uint8Array) =>
    containsWording(textOfJson(Buffer.from(payload).toString()), wording);
  const sent = db.prepare<{ item: string; payload: Uint8Array }>(
    'SELECT item, payload FROM team_outbox WHERE payload IS NOT NULL',
  );
  const found = sent.all().filter(({ payload }) => saysIt(payload));
  const strip = db.prepare(
    "UPDATE team_outbox SET payload = NULL, tokens = '[]' WHERE item = ? AND payload = ?",
  );
  for (const { item, payload } of found) strip.run(item, payload);
}
