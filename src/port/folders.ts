import { readdirSync } from 'node:fs';
import { join, sep } from 'node:path';
import { openingOf } from '../agents/claude-code/transcript.ts';

/** Folders in which Claude Code has worked, by the name it gives their projects. */
export function workedFolders(projects: string): Map<string, string> {
  const folders = new Map<string, string>();
  for (const slug of entriesOf(projects)) {
    for (const name of entriesOf(join(projects, slug)).filter((entry) => entry.endsWith('.jsonl'))) {
      const folder = folderIn(join(projects, slug, name));
      // A session that went elsewhere says so in its file; the first folder is the one that gave the name.
      if (folder === undefined || slugOf(folder) !== slug) continue;
      folders.set(slug, folder);
      break;
    }
  }
  return folders;
}

/** As Claude Code names the folder of a project. */
export function slugOf(folder: string): string {
  return folder.replace(/[^A-Za-z0-9]/g, '-');
}

/** The folder on this machine with that name; null when there is none, or several. */
export function folderWithSlug(slug: string, root = '/'): string | null {
  const found = search(root, slug.replace(/^-/, ''), 2);
  return found.length === 1 ? (found[0] ?? null) : null;
}

/** Names hold hyphens themselves: each folder whose name fits is a way to go on. */
function search(folder: string, rest: string, most: number): string[] {
  if (rest === '') return [folder];
  const found: string[] = [];
  for (const name of entriesOf(folder)) {
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
    return openingOf(transcript).folder;
  } catch {
    return undefined;
  }
}

/** Also of what is no folder, or not ours to read. */
export function entriesOf(folder: string, { recursive = false } = {}): string[] {
  try {
    return readdirSync(folder, { recursive, encoding: 'utf8' })
      .map((name) => name.split(sep).join('/'))
      .sort();
  } catch {
    return [];
  }
}
