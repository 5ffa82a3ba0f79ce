import { redactValue } from '../../capture/redact/redact-value.ts';
import type { Project } from '../../model/project.ts';
import type { Store } from '../../store/store.ts';
import { Problem } from '../problem.ts';
import type { Handlers } from '../route.ts';
import type { sessionChangeRoutes } from '../routes/sessions.ts';

type ProjectRoutes = Pick<typeof sessionChangeRoutes, 'renameProject' | 'mergeProjects' | 'splitProject'>;

export const projectHandlers: Handlers<ProjectRoutes> = {
  renameProject({ params: { id }, body: { name } }, { store }) {
    requireProject(store, id);
    store.renameProject(id, name === null ? null : redactValue(name));
    return { project: requireProject(store, id) };
  },
  mergeProjects({ params: { id }, body: { into } }, { store }) {
    requireProject(store, id);
    requireProject(store, into);
    if (id === into) throw new Problem(409, 'Both are the same project.');
    store.mergeProjects(id, into);
    return { project: requireProject(store, into) };
  },
  splitProject({ params: { id } }, { store }) {
    const isMerged = store.listProjects().some(({ merged }) => merged.some((other) => other.id === id));
    if (!isMerged) throw new Problem(409, `Project ${id} is not merged into another one.`);
    store.splitProject(id);
    return { project: requireProject(store, id) };
  },
};

/** Not one that was merged: it counts as the other. */
export function requireProject(store: Store, id: number): Project {
  const project = store.listProjects().find((each) => each.id === id);
  if (!project) throw new Problem(404, `There is no project ${id}.`);
  return project;
}
