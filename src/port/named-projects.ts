import { findPlace } from '../capture/place.ts';
import { redactValue } from '../capture/redact/redact-value.ts';
import { findCheckout } from '../platform/git/checkout.ts';
import type { PortOptions } from './import-run.ts';
import { findOrAddFolderProject } from './projects.ts';

export interface NamedProject {
  /** Null in a dry run if it would be created. */
  id: number | null;
  /** The top of its checkout on this machine, if known. */
  top: string | null;
}

interface Hints {
  /** The program that uses these names. */
  from: string;
  /** Known working folders, by name. */
  folders: (name: string) => string[];
  /** The folder of the only requested project. */
  only?: string;
}

/**
 * Projects known only by the name of their folder. If exactly one known folder has that name, it is used, and sessions
 * there find the imported memories. @returns null for projects other than the requested one.
 */
export function createNamedProjects(options: PortOptions, { from, folders, only }: Hints) {
  const wantedName = only === undefined ? undefined : findPlace(only).name;
  const found = new Map<string, NamedProject>();

  return (name: string): NamedProject | null => {
    if (wantedName !== undefined && name !== wantedName) return null;
    const project = found.get(name) ?? resolve(name);
    found.set(name, project);
    return project;
  };

  function resolve(name: string): NamedProject {
    const { store, now, isDryRun } = options;
    const folder = only ?? onlyFolder(name);
    if (folder !== undefined)
      return { id: findOrAddFolderProject(options, folder), top: findCheckout(folder)?.top ?? folder };
    const known = store.listProjects().filter((project) => project.name === name);
    if (known.length === 1) return { id: known[0]?.id ?? null, top: null };
    // The project is not on this machine. The next import finds it under this name.
    const project = redactValue({ name, path: `${from}:${name}` });
    const apartFrom = known.map(({ id }) => id);
    return { id: store.projectFor(project, { apartFrom, ...(!isDryRun && { now: now() }) }), top: null };
  }

  function onlyFolder(name: string): string | undefined {
    const places = new Map<string, string>();
    for (const folder of folders(name)) {
      const place = findPlace(folder);
      if (place.name === name) places.set(place.path, folder);
    }
    const [folder] = places.values();
    return places.size === 1 ? folder : undefined;
  }
}
