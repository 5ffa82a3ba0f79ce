import { statSync } from 'node:fs';
import { dirname, isAbsolute, relative, resolve } from 'node:path';
import type { ProjectName } from '../model/project.ts';
import { findCheckout } from '../platform/git/checkout.ts';
import type { Store } from '../store/store.ts';
import type { StoredMemory } from '../store/types/memory.ts';

export interface FileHistoryRequest {
  path: string;
  folder: string;
  project: ProjectName | null;
  /** An absolute path may be in another project. */
  projectOf(folder: string): ProjectName | null;
  limit: number;
}

/**
 * Memories about a file or the contents of a folder, latest first. Without an exact match, the end of the path is
 * matched.
 */
export function findFileHistory(store: Store, request: FileHistoryRequest): StoredMemory[] {
  const place = placeOfFile(request);
  return place === null ? [] : findByPath(store, { ...place, typed: request.path, limit: request.limit });
}

/** The same for a stored path, without looking at files. */
export function findByPath(
  store: Store,
  {
    projectId,
    path,
    typed = path,
    limit,
  }: { projectId: number | null; path: string; typed?: string; limit: number },
): StoredMemory[] {
  const exact = store.listFileHistory({ projectId, path, limit });
  const end = typed.replace(/^(?:\.{0,2}\/)+|\/+$/g, '');
  return exact.length > 0 || end === ''
    ? exact
    : store.listFileHistory({ projectId, path: end, anywhere: true, limit });
}

/** The path as in memories: relative to the top of the file's checkout, which may differ from the agent's. */
function placeOfFile(request: FileHistoryRequest): { projectId: number; path: string } | null {
  const { path, folder, project, projectOf } = request;
  const absolute = resolve(folder, path);
  const checkout = findCheckout(isFolder(absolute) ? absolute : dirname(absolute));
  const top = checkout?.top ?? (isAbsolute(path) ? undefined : folder);
  const owner = (isAbsolute(path) ? projectOf(top ?? dirname(absolute)) : undefined) ?? project;
  if (!owner) return null;
  const inside = top === undefined ? absolute : relative(top, absolute);
  return { projectId: owner.id, path: inside.startsWith('..') ? absolute : inside };
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
