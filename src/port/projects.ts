import { redactValue } from '../capture/redact/redact-value.ts';
import { toStoredPlace } from '../capture/stored-place.ts';
import type { PortableProject } from '../store/types/port.ts';
import type { PortOptions } from './import-run.ts';

/** Finds the local project for each project of the file. Different projects stay separate. */
export function createProjects({ store, now, isDryRun }: PortOptions) {
  const found = new Map<string, number | null>();

  return (project: PortableProject | null): number | null => {
    if (!project) return null;
    const { name, remote, path } = project;
    const key = JSON.stringify(remote === undefined ? { name, path } : { remote });
    const known = found.get(key);
    if (known !== undefined) return known;
    const apartFrom = [...found.values()].filter((id) => id !== null);
    const id = store.projectFor(redactValue(project), { apartFrom, ...(!isDryRun && { now: now() }) });
    found.set(key, id);
    return id;
  };
}

/** The project of a folder on this machine. Null in a dry run if it would be created. */
export function findOrAddFolderProject({ store, now, isDryRun }: PortOptions, folder: string): number | null {
  const place = toStoredPlace(folder);
  const known = store.findProject(place);
  if (known) return known.id;
  const { name, path, remote } = place;
  const project = { name, path, ...(remote !== undefined && { remote }) };
  return store.projectFor(project, isDryRun ? {} : { now: now() });
}
