import type { Place } from '../../src/model/project.ts';
import type { TaskState } from '../../src/model/work.ts';
import type { PlainStore } from './plain-store.ts';

/** A work item `pruning` in a known project, with a session bound to it and a task in each of these states. */
export function startPruning(
  store: PlainStore,
  { place, session, tasks, at }: { place: Place; session: string; tasks: TaskState[]; at: number },
): void {
  const project = store.findProject(place);
  if (!project) throw new Error(`${place.name} is no project.`);
  const where = { projectId: project.id, branch: null, worktree: null };
  const { id: workId } = store.addWorkItem({ name: 'pruning', title: 'Pruning', ...where, at });
  store.bindSession({ agent: 'claude-code', agentSession: session, workId, by: 'new', at });
  for (const state of tasks)
    store.addTask({ workId, subject: state, description: '', state, source: 'person', key: null, at });
}
