import type { Redacted } from '../../model/redacted.ts';
import type { Task, TaskChange, TaskSource, TaskState } from '../../model/work.ts';
import type { NewTask, TaskEdit } from '../types/work.ts';
import { type Database, inTransaction } from './open.ts';
import { touchWorkItem } from './work-items.ts';

const TASK = `
  SELECT id, work_id AS workId, number, subject, description, state, source, key, created_at AS createdAt,
    changed_at AS changedAt
  FROM tasks`;

export function createTaskQueries(db: Database) {
  return {
    addTask: (task: Redacted<NewTask>): Task => inTransaction(db, () => addTask(db, task)),
    /** A changed state is added to its history. */
    changeTask: (id: number, change: Redacted<TaskEdit>, by: TaskSource, at: number): Task =>
      inTransaction(db, () => changeTask(db, id, change, by, at)),
    listTasks: (workId: number): Task[] => selectTasks(db, 'work_id = ? ORDER BY number', workId),
    findTaskByKey: (workId: number, key: string): Task | null =>
      selectTasks(db, 'work_id = ? AND key = ? ORDER BY number DESC LIMIT 1', workId, key)[0] ?? null,
    listTaskChanges(taskId: number): TaskChange[] {
      const rows = db
        .prepare<TaskChange>(
          'SELECT state, changed_by AS "by", at FROM task_changes WHERE task_id = ? ORDER BY id',
        )
        .all(taskId);
      return rows.map((row) => ({ ...row }));
    },
  };
}

function addTask(db: Database, task: NewTask): Task {
  const { workId, subject, description, state, source, key, at } = task;
  const added = db
    .prepare(`
      INSERT INTO tasks (work_id, number, subject, description, state, source, key, created_at, changed_at)
      SELECT ?1, coalesce(max(number), 0) + 1, ?2, ?3, ?4, ?5, ?6, ?7, ?7 FROM tasks WHERE work_id = ?1`)
    .run(workId, subject, description, state, source, key, at);
  const id = Number(added.lastInsertRowid);
  noteState(db, id, state, source, at);
  touchWorkItem(db, workId, at);
  return requireTask(db, id);
}

/** Writes nothing if the values are the same. */
function changeTask(db: Database, id: number, change: TaskEdit, by: TaskSource, at: number): Task {
  const task = requireTask(db, id);
  const { subject, description, state, key } = { ...task, ...change };
  const isSame =
    subject === task.subject && description === task.description && state === task.state && key === task.key;
  if (isSame) return task;
  db.prepare(`
    UPDATE tasks SET subject = ?, description = ?, state = ?, key = ?, changed_at = ? WHERE id = ?`).run(
    subject,
    description,
    state,
    key,
    at,
    id,
  );
  if (state !== task.state) noteState(db, id, state, by, at);
  touchWorkItem(db, task.workId, at);
  return requireTask(db, id);
}

function noteState(db: Database, id: number, state: TaskState, by: TaskSource, at: number): void {
  db.prepare('INSERT INTO task_changes (task_id, state, changed_by, at) VALUES (?, ?, ?, ?)').run(
    id,
    state,
    by,
    at,
  );
}

export function selectTasks(db: Database, where: string, ...values: (string | number)[]): Task[] {
  const rows = db.prepare<Task>(`${TASK} WHERE ${where}`).all(...values);
  return rows.map((row) => ({ ...row }));
}

function requireTask(db: Database, id: number): Task {
  const [task] = selectTasks(db, 'id = ?', id);
  if (!task) throw new Error(`There is no task with the number ${id}.`);
  return task;
}
