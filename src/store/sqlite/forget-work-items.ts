import { containsWording, isRepeated, removePieces, type Wording, wordsIn } from '../../model/wording.ts';
import type { Forgotten } from '../types/curation.ts';
import { containsForgotten, cutHandoffs, cutPlans, cutTasks, type IsForgotten } from './forget-plans.ts';
import type { Database } from './open.ts';
import type { IdRow, TextRow } from './rows.ts';
import { findFreeName, touchWorkItem } from './work-items.ts';

export interface ForgottenInWorkItems {
  /** Searched for in every work item. */
  wording: Wording;
  /** Includes raw texts: searched for in the work items of their own sessions. */
  ownWording: Wording;
  /** Titles and names of work items may be made from these. */
  prompts: string[];
  sessions: number[];
}

/** Removes matching sentences and items from work items, plans, tasks and handoffs. */
export function forgetInWorkItems(db: Database, forgotten: ForgottenInWorkItems, now: number) {
  const own = worksOfSessions(db, forgotten.sessions);
  const changed: Pick<Forgotten, 'works' | 'renamedWorks'> = { works: 0, renamedWorks: [] };
  const works = db.prepare<WorkRow>('SELECT id, name, title, next_steps AS nextSteps FROM works').all();
  for (const work of works) {
    const goes: IsForgotten = own.has(work.id)
      ? (piece) => isRepeated(piece, forgotten.ownWording)
      : (piece) => containsWording(piece, forgotten.wording);
    const prompts = own.has(work.id) ? forgotten.prompts : [];
    const isCut = [
      cutNotes(db, work.id, goes),
      cutPlans(db, work.id, goes),
      cutTasks(db, work.id, goes),
      cutHandoffs(db, work.id, goes),
      cutWork(db, work, goes),
    ];
    const renamed = forgetNames(db, work, goes, prompts);
    if (renamed.length === 0 && !isCut.includes(true)) continue;
    // A plan without remaining text cannot be continued.
    db.prepare(`
      UPDATE works SET mode = 'idle' WHERE id = ? AND mode = 'has_plan'
        AND NOT EXISTS (SELECT 1 FROM plans WHERE work_id = works.id AND state = 'accepted')`).run(work.id);
    touchWorkItem(db, work.id, now);
    changed.works++;
    changed.renamedWorks.push(...renamed);
  }
  return changed;
}

interface WorkRow {
  id: number;
  name: string;
  title: string;
  nextSteps: string;
}

const FORGOTTEN = '(forgotten)';

function worksOfSessions(db: Database, sessions: number[]): Set<number> {
  const rows = db
    .prepare<IdRow>(`
      SELECT DISTINCT work_id AS id FROM work_sessions WHERE agent_session IN (
        SELECT agent_session FROM sessions WHERE id IN (SELECT value FROM json_each(?)))`)
    .all(JSON.stringify(sessions));
  return new Set(rows.map(({ id }) => id));
}

function cutWork(db: Database, { id, title, nextSteps }: WorkRow, goes: IsForgotten): boolean {
  const isTitleGone = containsForgotten(title, goes);
  const steps = removePieces(nextSteps, goes);
  if (!isTitleGone && steps.gone === 0) return false;
  db.prepare('UPDATE works SET title = ?, next_steps = ? WHERE id = ?').run(
    isTitleGone ? FORGOTTEN : title,
    steps.text,
    id,
  );
  return true;
}

/** A name consists of a few words of the title or of a prompt. */
function forgetNames(
  db: Database,
  { id, name, title }: WorkRow,
  goes: IsForgotten,
  prompts: string[],
): Forgotten['renamedWorks'] {
  const rows = db.prepare<{ name: string }>('SELECT name FROM work_names WHERE work_id = ?').all(id);
  const names = [name, ...rows.map((row) => row.name)];
  const isTitleGone = containsForgotten(title, goes);
  const promptWords = prompts.map((prompt) => new Set(wordsIn(prompt)));
  const titleWords = new Set(wordsIn(title));
  const gone = names.filter((name) => {
    const words = wordsIn(name.replaceAll('-', ' '));
    if (isTitleGone || goes(words.join(' '))) return true;
    const isIn = (text: Set<string>) => words.every((word) => text.has(word));
    return promptWords.some(isIn) && !isIn(titleWords);
  });
  for (const name of gone) db.prepare('DELETE FROM work_names WHERE name = ?').run(name);
  const to = gone.includes(name) ? findFreeName(db, `work-${id}`, id) : name;
  db.prepare('UPDATE works SET name = ? WHERE id = ?').run(to, id);
  return gone.map((from) => ({ from, to }));
}

function cutNotes(db: Database, workId: number, goes: IsForgotten): boolean {
  let isCut = false;
  for (const note of db.prepare<TextRow>('SELECT id, text FROM work_notes WHERE work_id = ?').all(workId)) {
    const { text, gone } = removePieces(note.text, goes);
    if (gone === 0) continue;
    isCut = true;
    if (text === '') db.prepare('DELETE FROM work_notes WHERE id = ?').run(note.id);
    else db.prepare('UPDATE work_notes SET text = ? WHERE id = ?').run(text, note.id);
  }
  return isCut;
}
