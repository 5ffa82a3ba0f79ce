import { existsSync, readdirSync, renameSync, rmdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isObject } from '../../model/json.ts';
import { errorCode, readIfThere } from '../../platform/files.ts';
import type { Paths } from '../../platform/paths.ts';
import type { Store } from '../../store/store.ts';

const DRAFT = /\.\d+\.new$/;
const WRITTEN = /^(?:state\.json|(?:plan-v|handoff-)\d+\.md)(?:\.\d+\.new)?$/;
const SET_ASIDE = /\.set-aside-/;

/** Moves the folder of a renamed work item, and removes that of a deleted one. */
export function moveRenamedFolders({ store, paths }: { store: Store; paths: Paths }): void {
  const works = store.listWorkItems({ withClosed: true, limit: 100_000 });
  const names = new Set(works.map(({ name }) => name));
  const latest = Math.max(0, ...works.map(({ id }) => id));
  for (const entry of readdirSync(paths.works, { withFileTypes: true })) {
    if (!entry.isDirectory() || names.has(entry.name)) continue;
    const folder = join(paths.works, entry.name);
    const work = store.findWorkItem(entry.name);
    if (work) moveFolder(folder, join(paths.works, work.name));
    // A folder with a higher id than any work item is from a lost database and is all that is left of it.
    else if (idIn(folder) < latest) removeOurs(folder);
  }
}

/** Removes files left by a killed write. No other program writes there. */
export function removeDrafts(folder: string): void {
  for (const name of readdirSync(folder)) if (DRAFT.test(name)) rmSync(join(folder, name), { force: true });
}

function moveFolder(from: string, to: string): void {
  if (!existsSync(to)) {
    renameSync(from, to);
    return;
  }
  for (const name of readdirSync(from))
    if (!WRITTEN.test(name) && !existsSync(join(to, name))) renameSync(join(from, name), join(to, name));
  removeOurs(from);
}

/** Keeps the person's own files, and then also the folder. */
function removeOurs(folder: string): void {
  for (const name of readdirSync(folder))
    if (WRITTEN.test(name) || SET_ASIDE.test(name)) rmSync(join(folder, name), { force: true });
  try {
    rmdirSync(folder);
  } catch (error) {
    if (errorCode(error) !== 'ENOTEMPTY') throw error;
  }
}

function idIn(folder: string): number {
  try {
    const state: unknown = JSON.parse(readIfThere(join(folder, 'state.json')) ?? '');
    return isObject(state) && typeof state.id === 'number' ? state.id : Number.POSITIVE_INFINITY;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
