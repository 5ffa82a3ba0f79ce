import { createHash } from 'node:crypto';
import { realpathSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { agents } from '../agents/all.ts';
import { findPlace } from '../capture/place.ts';
import { PRIVATE_MARK } from '../capture/private.ts';
import { cleanText } from '../curation/clean-text.ts';
import { EDITED_NOTE, measureOverlap } from '../model/same-memory.ts';
import { wordsIn } from '../model/wording.ts';
import { errorCode, listNames } from '../platform/files.ts';
import { readRegularIfThere } from '../platform/read-regular-file.ts';
import type { ImportedMemory, NewMemory } from '../store/types/port.ts';
import { createImportRun, type PortOptions, type PortResult } from './import-run.ts';
import { hasFrontMatter, parseNotes } from './memory-md-notes.ts';
import { findOrAddFolderProject } from './projects.ts';

const LARGEST_FILE = 10_000_000;

export interface MemoryMdOptions {
  /** The agent's folder with all projects, or a folder with memory files. */
  folder: string;
  /** Imports only the project in this folder. For a folder with memory files, the project that they are about. */
  project?: string;
  /** The current folder. */
  here: string;
}

/** Imports an agent's own notes. An edited note replaces the old one. */
export async function importMemoryMd(port: PortOptions, options: MemoryMdOptions): Promise<PortResult> {
  const found = memoryFolders(options);
  const files = found.flatMap(({ notes, project }) =>
    markdownIn(notes).map((name) => ({ path: join(notes, name), project })),
  );
  const run = createImportRun(port, files.length);
  for (const { notes } of found.filter(({ project }) => project === null))
    run.skip(notes, 'its project is not on this machine; name it with --dir and --project');
  for (const { path, project } of files) {
    if (project !== null) takeFile(path, project);
    if (!(await run.shouldContinue(1))) break;
  }
  return run.result;

  function takeFile(path: string, project: string): void {
    const read = textOf(path);
    if (typeof read !== 'string') {
      run.skip(path, read.problem);
      return;
    }
    // Cleaned before it is split: a private part may span several bullets.
    const text = cleanText(port, read);
    const prefix = `memory-md:${digest(realpathSync(path))}:`;
    const before = port.store.listImportedMemories(prefix);
    const notes = notesFrom(path, text, prefix, findOrAddFolderProject(port, project));
    const added = run.add(notes);
    const present = new Set(notes.map(({ key }) => key));
    const gone = before.filter(({ origin }) => !present.has(origin));
    const fresh = notes.filter((_, index) => added[index]?.outcome === 'added');
    const pairs = editedPairs(gone, fresh, hasFrontMatter(text));
    const back = findReverted(before, gone, present);
    run.result.replaced += pairs.length + back.length;
    if (port.isDryRun) return;
    const ids = new Map(notes.map(({ key }, index) => [key, added[index]?.id ?? null]));
    port.store.reviveMemories(back.map(({ by }) => by));
    port.store.replaceMemories([
      ...back,
      ...pairs.flatMap(({ old, by }) => {
        const id = ids.get(by);
        return id ? [{ old, by: id }] : [];
      }),
    ]);
  }

  function notesFrom(path: string, text: string, prefix: string, projectId: number | null): NewMemory[] {
    const at = Math.trunc(statSync(path).mtimeMs);
    return parseNotes(text, markdownIn(dirname(path)))
      .map((note) => ({ note, text: `${note.title}\n${note.narrative}` }))
      .filter(({ text }) => text.replaceAll(PRIVATE_MARK, '').trim() !== '')
      .map(({ note, text }) => ({
        ...{ ...NOTHING_ELSE, ...note, at, projectId },
        key: `${prefix}${digest(text)}`,
      }));
  }
}

const NOTHING_ELSE = {
  kind: 'note' as const,
  facts: [],
  concepts: [],
  aliases: [],
  parts: null,
  scope: 'project' as const,
  strength: 1,
  saidBy: 'agent',
  distiller: 'memory-md',
  pinnedAt: null,
  editedAt: null,
  mergedAt: null,
  session: null,
  prompt: null,
  branch: null,
  commit: null,
  files: [],
};

interface MemoryFolder {
  notes: string;
  /** The folder of the project; null if it is not on this machine. */
  project: string | null;
}

function memoryFolders({ folder, project, here }: MemoryMdOptions): MemoryFolder[] {
  if (listNames(folder).some((name) => name.endsWith('.md')))
    return [{ notes: folder, project: project ?? here }];
  const only = project === undefined ? undefined : findPlace(project).path;
  return agents
    .flatMap(({ memoryFiles }) => memoryFiles?.findAll(folder) ?? [])
    .filter(
      (found) => only === undefined || (found.project !== null && findPlace(found.project).path === only),
    );
}

/** The index file first. Others may be in subfolders. */
function markdownIn(folder: string): string[] {
  return listNames(folder, { recursive: true })
    .filter((name) => name.endsWith('.md'))
    .sort((a, b) => Number(b === 'MEMORY.md') - Number(a === 'MEMORY.md'));
}

function textOf(path: string): string | { problem: string } {
  try {
    const text = readRegularIfThere(path, { maxBytes: LARGEST_FILE })?.toString('utf8');
    return text ?? { problem: `${basename(path)} has gone` };
  } catch (error) {
    return { problem: `${basename(path)} cannot be read (${errorCode(error) ?? 'not a text file'})` };
  }
}

/** Pairs each removed note with the most similar new one; in a file with one note, with that note. */
function editedPairs(
  gone: ImportedMemory[],
  fresh: NewMemory[],
  isOneNote: boolean,
): { old: number; by: string }[] {
  const pairs = gone
    .filter(({ supersededBy }) => supersededBy === null)
    .flatMap((old) =>
      fresh.map((note) => ({
        old: old.id,
        by: note.key,
        overlap: isOneNote ? 1 : measureOverlap(wordsOf(old), wordsOf(note)),
      })),
    )
    .filter((pair) => pair.overlap >= EDITED_NOTE)
    .sort((a, b) => b.overlap - a.overlap);
  const taken = new Set<number | string>();
  return pairs.filter(({ old, by }) => {
    if (taken.has(old) || taken.has(by)) return false;
    taken.add(old).add(by);
    return true;
  });
}

/** A note that was edited back to an earlier text. */
function findReverted(before: ImportedMemory[], gone: ImportedMemory[], present: Set<string>) {
  const isGone = new Set(gone.map(({ id }) => id));
  return before.flatMap(({ id, origin, supersededBy }) =>
    present.has(origin) && supersededBy !== null && isGone.has(supersededBy)
      ? [{ old: supersededBy, by: id }]
      : [],
  );
}

function wordsOf({ title, narrative }: { title: string; narrative: string }): Set<string> {
  return new Set(wordsIn(`${title} ${narrative}`));
}

/** A digest, because the path must not appear in later exports. */
function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 16);
}
