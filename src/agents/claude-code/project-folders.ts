import { join } from 'node:path';
import { listNames } from '../../platform/files.ts';
import { readOpening } from './transcript-files.ts';

/** Folders in which Claude Code has worked, by the name of their project folder. */
export function findProjectFolders(projects: string): Map<string, string> {
  const folders = new Map<string, string>();
  for (const slug of listNames(projects)) {
    for (const name of listNames(join(projects, slug)).filter((entry) => entry.endsWith('.jsonl'))) {
      const folder = folderIn(join(projects, slug, name));
      // A session may change its folder later; the project folder is named after the first one.
      if (folder === undefined || slugOf(folder) !== slug) continue;
      folders.set(slug, folder);
      break;
    }
  }
  return folders;
}

/** The name that Claude Code gives to a project's folder. */
function slugOf(folder: string): string {
  return folder.replace(/[^A-Za-z0-9]/g, '-');
}

/** The notes of each project are in a folder next to its transcripts. */
export function findMemoryFolders(projects: string): { notes: string; project: string | null }[] {
  const known = findProjectFolders(projects);
  return listNames(projects)
    .map((slug) => ({ slug, notes: join(projects, slug, 'memory') }))
    .filter(({ notes }) => listNames(notes, { recursive: true }).some((name) => name.endsWith('.md')))
    .map(({ slug, notes }) => ({ notes, project: known.get(slug) ?? folderWithSlug(slug) }));
}

/** The folder on this machine with that name; null if there is none, or more than one. */
function folderWithSlug(slug: string, root = '/'): string | null {
  const found = search(root, slug.replace(/^-/, ''), 2);
  return found.length === 1 ? (found[0] ?? null) : null;
}

/** Folder names may contain hyphens, so every folder whose name matches is tried. */
function search(folder: string, rest: string, most: number): string[] {
  if (rest === '') return [folder];
  const found: string[] = [];
  for (const name of listNames(folder)) {
    const slug = slugOf(name);
    if (rest === slug) found.push(join(folder, name));
    else if (rest.startsWith(`${slug}-`))
      found.push(...search(join(folder, name), rest.slice(slug.length + 1), most));
    if (found.length >= most) break;
  }
  return found;
}

function folderIn(transcript: string): string | undefined {
  try {
    return readOpening(transcript).folder;
  } catch {
    return undefined;
  }
}
