import { redactValue } from '../../capture/redact/redact-value.ts';
import { isBlank } from '../../model/blank.ts';
import type { Project } from '../../model/project.ts';
import { realPath } from '../../platform/files.ts';
import type { Paths } from '../../platform/paths.ts';
import type { Store } from '../../store/store.ts';
import type { ApiCall } from '../options.ts';
import { Problem } from '../problem.ts';
import type { Handlers } from '../route.ts';
import type { sessionChangeRoutes } from '../routes/sessions.ts';

type ProjectRoutes = Pick<typeof sessionChangeRoutes, 'renameProject' | 'mergeProjects' | 'splitProject'>;

export const projectHandlers: Handlers<ProjectRoutes> = {
  renameProject({ params: { id }, body: { name } }, call) {
    const { store } = call;
    requireProject(store, id);
    if (name !== null && isBlank(name)) throw new Problem(400, 'A project needs a name that can be read.');
    store.renameProject(id, name === null ? null : redactValue(name));
    return { project: describeProject(call, requireProject(store, id)) };
  },
  mergeProjects({ params: { id }, body: { into } }, call) {
    const { store } = call;
    requireProject(store, id);
    requireProject(store, into);
    if (id === into) throw new Problem(409, 'Both are the same project.');
    store.mergeProjects(id, into);
    return { project: describeProject(call, requireProject(store, into)) };
  },
  splitProject({ params: { id } }, call) {
    const { store } = call;
    const isMerged = store.listProjects().some(({ merged }) => merged.some((other) => other.id === id));
    if (!isMerged) throw new Problem(409, `Project ${id} is not merged into another one.`);
    store.splitProject(id);
    return { project: describeProject(call, requireProject(store, id)) };
  },
};

export function describeProject({ store, paths }: Pick<ApiCall, 'store' | 'paths'>, project: Project) {
  return {
    ...project,
    memories: store.countMemories({ projectId: project.id }),
    isSample: isSample(paths, project),
  };
}

export function isSample(paths: Paths, { places }: Pick<Project, 'places'>): boolean {
  const sample = realPath(paths.sample);
  return places.some((place) => place.startsWith(sample));
}

/** Fails for a project that was merged into another one. */
export function requireProject(store: Store, id: number): Project {
  const project = store.listProjects().find((project) => project.id === id);
  if (!project) throw new Problem(404, `There is no project ${id}.`);
  return project;
}
