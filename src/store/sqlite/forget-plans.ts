import { removePieces } from '../../model/wording.ts';
import type { HandoffParts, Task } from '../../model/work.ts';
import type { Database } from './open.ts';
import type { IdRow, TextRow, WithJson } from './rows.ts';

/** Whether a sentence or an item mentions forgotten text. */
export type IsForgotten = (piece: string) => boolean;

/** @returns whether any plan mentioned forgotten text, like the other functions of this file. */
export function cutPlans(db: Database, workId: number, goes: IsForgotten): boolean {
  let isCut = false;
  for (const plan of db.prepare<TextRow>('SELECT id, text FROM plans WHERE work_id = ?').all(workId)) {
    if (!containsForgotten(plan.text, goes)) continue;
    const text = cutPlan(plan.text, goes);
    isCut = true;
    if (text === '') db.prepare('DELETE FROM plans WHERE id = ?').run(plan.id);
    // A hash would allow guessing the text.
    else db.prepare("UPDATE plans SET text = ?, hash = '' WHERE id = ?").run(text, plan.id);
  }
  return isCut;
}

type TaskRow = Pick<Task, 'id' | 'subject' | 'description' | 'key'>;

export function cutTasks(db: Database, workId: number, goes: IsForgotten): boolean {
  let isCut = false;
  const rows = db
    .prepare<TaskRow>('SELECT id, subject, description, key FROM tasks WHERE work_id = ?')
    .all(workId);
  for (const task of rows) {
    const { text, gone } = removePieces(task.description, goes);
    // An agent's key of a task may contain its text.
    const isKeyGone = task.key !== null && containsForgotten(task.key, goes);
    if (containsForgotten(task.subject, goes)) db.prepare('DELETE FROM tasks WHERE id = ?').run(task.id);
    else if (gone > 0 || isKeyGone)
      db.prepare('UPDATE tasks SET description = ?, key = ? WHERE id = ?').run(
        text,
        isKeyGone ? null : task.key,
        task.id,
      );
    else continue;
    isCut = true;
  }
  return isCut;
}

interface HandoffTexts {
  parts: HandoffParts;
  tasks: { subject: string }[];
  plan: { text: string } | null;
}

type HandoffRow = IdRow & WithJson<HandoffTexts, 'parts' | 'tasks' | 'plan'>;

export function cutHandoffs(db: Database, workId: number, goes: IsForgotten): boolean {
  let isCut = false;
  const rows = db
    .prepare<HandoffRow>('SELECT id, parts, tasks, plan FROM handoffs WHERE work_id = ?')
    .all(workId);
  for (const handoff of rows) {
    const texts: HandoffTexts = {
      parts: JSON.parse(handoff.parts),
      tasks: JSON.parse(handoff.tasks),
      plan: handoff.plan === null ? null : JSON.parse(handoff.plan),
    };
    const { parts, tasks, plan } = cutHandoff(texts, goes);
    const left = {
      parts: JSON.stringify(parts),
      tasks: JSON.stringify(tasks),
      plan: plan && JSON.stringify(plan),
    };
    if (left.parts === handoff.parts && left.tasks === handoff.tasks && left.plan === handoff.plan) continue;
    isCut = true;
    db.prepare('UPDATE handoffs SET parts = ?, tasks = ?, plan = ? WHERE id = ?').run(
      left.parts,
      left.tasks,
      left.plan,
      handoff.id,
    );
  }
  return isCut;
}

function cutHandoff({ parts, tasks, plan }: HandoffTexts, goes: IsForgotten): HandoffTexts {
  const cut = (text: string) => removePieces(text, goes).text;
  const cutList = (texts: string[]) => texts.map(cut).filter((text) => text !== '');
  const planText = plan ? cutPlan(plan.text, goes) : '';
  return {
    parts: {
      ...parts,
      goal: cut(parts.goal),
      state: cut(parts.state),
      decisions: cutList(parts.decisions),
      deadEnds: cutList(parts.deadEnds),
      files: parts.files.map((file) => ({ ...file, what: cut(file.what) })),
      questions: cutList(parts.questions),
      nextSteps: cutList(parts.nextSteps),
      note: cut(parts.note),
    },
    tasks: tasks.filter(({ subject }) => !containsForgotten(subject, goes)),
    plan: plan && planText !== '' ? { ...plan, text: planText } : null,
  };
}

/** The number of a step counts as its own sentence: it is removed with the step. */
function cutPlan(plan: string, goes: IsForgotten): string {
  const { text, gone } = removePieces(plan, goes);
  return gone === 0 ? plan : text.replace(/^[ \t]*\d+\.[ \t]*(?:\n|$)/gm, '').trim();
}

export function containsForgotten(text: string, goes: IsForgotten): boolean {
  return removePieces(text, goes).gone > 0;
}
