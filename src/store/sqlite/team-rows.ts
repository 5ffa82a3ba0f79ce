import type { HandoffState } from '../../model/work.ts';
import type { SharedKind, SharedMemory, SharedRow, Sharing } from '../types/team.ts';
import { selectHandoffs } from './handoffs.ts';
import { selectMemories } from './memories.ts';
import type { Database } from './open.ts';
import { selectPlans } from './plans.ts';
import type { IdRow, WithJson } from './rows.ts';
import { selectTasks } from './tasks.ts';
import { selectWorkItem } from './work-items.ts';

/** Reads rows in the form in which they are shared. */
export function createSharedRowQueries(db: Database) {
  return {
    /** Null if there is no such row. */
    readSharedRow: (what: SharedKind, id: number): SharedRow | null => READERS[what](db, id),
    /** A person's decision about one memory, which the next sync collects. */
    chooseSharing: (memoryId: number, sharing: 'always' | 'never'): void => {
      db.prepare('INSERT OR REPLACE INTO team_choices VALUES (?, ?)').run(
        memoryId,
        Number(sharing === 'always'),
      );
    },
    /** The memories that this one has replaced. */
    listReplacedBy: (id: number): number[] =>
      db
        .prepare<IdRow>('SELECT id FROM memories WHERE superseded_by = ?')
        .all(id)
        .map((row) => row.id),
    /** The folders of a project on this machine, with its worktrees. */
    listProjectFolders: (projectId: number): string[] =>
      db
        .prepare<{ path: string }>(`
          SELECT path FROM project_places WHERE project_id IN (SELECT id FROM project_roots WHERE root = ?1)
          UNION SELECT DISTINCT worktree FROM sessions
            WHERE worktree IS NOT NULL AND project_id IN (SELECT id FROM project_roots WHERE root = ?1)`)
        .all(projectId)
        .map(({ path }) => path),
  };
}

const READERS: Record<SharedKind, (db: Database, id: number) => SharedRow | null> = {
  memory: readMemory,
  'work-item': readWork,
  plan: readPlan,
  task: readTask,
  handoff: readHandoff,
};

function readMemory(db: Database, id: number): SharedRow | null {
  const [memory] = selectMemories(db, 'm.id = ?', id);
  if (!memory || memory.projectId === null) return null;
  const { projectId, at, scope, pinnedAt, supersededBy } = memory;
  const { kind, type, title, subtitle, narrative, facts, concepts, aliases, parts } = memory;
  const { branch, commit, distiller, saidBy, editedAt } = memory;
  const files = readFiles(db, id);
  const isInside = (path: string) => !isOutside(path);
  return {
    what: 'memory',
    projectId,
    at,
    sharing: readSharing(db, id) ?? (scope === 'global' ? 'never' : 'by project'),
    values: {
      text: {
        what: 'memory',
        ...{ kind, type, title, subtitle, narrative, facts, concepts, aliases },
        parts: parts && {
          ...parts,
          filesRead: parts.filesRead.filter(isInside),
          filesModified: parts.filesModified.filter(isInside),
        },
        ...{ branch, commit, distiller, saidBy, at, editedAt, files },
      },
      pin: pinnedAt,
      supersededBy,
    },
  };
}

function readSharing(db: Database, memoryId: number): Sharing | undefined {
  const choice = db
    .prepare<{ isShared: number }>('SELECT is_shared AS isShared FROM team_choices WHERE memory_id = ?')
    .get(memoryId);
  return choice && (choice.isShared === 1 ? 'always' : 'never');
}

function readFiles(db: Database, memoryId: number): SharedMemory['files'] {
  const rows = db
    .prepare<WithJson<SharedMemory['files'][number], 'symbols'>>(
      'SELECT path, how, hash, symbols FROM memory_files WHERE memory_id = ? ORDER BY path, how',
    )
    .all(memoryId);
  return rows
    .filter(({ path }) => !isOutside(path))
    .map((row) => ({ ...row, symbols: JSON.parse(row.symbols) }));
}

/** Whether a path is outside the checkout and so means nothing on other machines. */
export function isOutside(path: string): boolean {
  return /^(?:[/\\~]|[A-Za-z]:[/\\]|\.\.(?:[/\\]|$))/.test(path);
}

function readWork(db: Database, id: number): SharedRow | null {
  const work = selectWorkItem(db, 'w.id = ?', id);
  if (!work) return null;
  const { projectId, name, title, branch, nextSteps, nextStepsAt, openedAt, closedAt } = work;
  return {
    what: 'work-item',
    projectId,
    at: openedAt,
    sharing: 'by project',
    values: {
      text: { what: 'work-item', name, title, branch, nextSteps, nextStepsAt, openedAt },
      state: { closedAt },
    },
  };
}

function readPlan(db: Database, id: number): SharedRow | null {
  const [plan] = selectPlans(db, 'id = ?', id);
  const work = plan && selectWorkItem(db, 'w.id = ?', plan.workId);
  if (!work) return null;
  const { version, text, at, state, decidedAt } = plan;
  return {
    what: 'plan',
    projectId: work.projectId,
    at: work.openedAt,
    sharing: 'by project',
    values: {
      text: { what: 'plan', work: work.id, version, text, at },
      state: { plan: state, decidedAt },
    },
  };
}

function readTask(db: Database, id: number): SharedRow | null {
  const [task] = selectTasks(db, 'id = ?', id);
  const work = task && selectWorkItem(db, 'w.id = ?', task.workId);
  if (!work) return null;
  const { number, subject, description, source, createdAt, state } = task;
  return {
    what: 'task',
    projectId: work.projectId,
    at: work.openedAt,
    sharing: 'by project',
    values: {
      text: { what: 'task', work: work.id, number, subject, description, source, createdAt },
      state: { task: state },
    },
  };
}

function readHandoff(db: Database, id: number): SharedRow | null {
  const [handoff] = selectHandoffs(db, 'h.id = ?', id);
  const work = handoff && selectWorkItem(db, 'w.id = ?', handoff.workId);
  if (!work) return null;
  const { number, parts, tasks, plan, git, by, at, to, state, takenAt } = handoff;
  return {
    what: 'handoff',
    projectId: work.projectId,
    at: work.openedAt,
    sharing: 'by project',
    values: {
      text: {
        what: 'handoff',
        work: work.id,
        number,
        parts: { ...parts, files: parts.files.filter(({ path }) => !isOutside(path)) },
        ...{ tasks, plan, git, by, at, to },
      },
      state: { handoff: toSharedState(state), takenAt },
    },
  };
}

/** Whether a session was given the handoff, but has not taken it, matters to this machine only. */
function toSharedState(state: HandoffState): Exclude<HandoffState, 'given' | 'sent'> {
  return state === 'given' || state === 'sent' ? 'staged' : state;
}
