import { createHash } from 'node:crypto';
import { realpathSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { placeOf } from '../capture/place.ts';
import { PRIVATE_MARK } from '../capture/private.ts';
import { cleanText } from '../curation/clean-text.ts';
import { wordsIn } from '../model/wording.ts';
import { errorCode } from '../platform/files.ts';
import { readRegularIfThere } from '../platform/read-regular-file.ts';
import type { ImportedMemory, NewMemory } from '../store/port-store.ts';
import { entriesOf, folderWithSlug, workedFolders } from './folders.ts';
import { hasFrontMatter, notesIn } from './memory-md-notes.ts';
import { projectIn } from './projects.ts';
import { createRun, type PortResult, type PortWorld } from './run.ts';

/** How much of their words two notes share of which one is the other, edited. */
const EDITED = 0.4;

const LARGEST_FILE = 10_000_000;

export interface MemoryMdOptions {
  /** Where the projects' folders lie, or a folder with memory files itself. */
  folder: string;
  /** Only the project in this folder; for a folder with memory files, the project they are about. */
  project?: string;
  /** Where the person stands. */
  here: string;
}

/** What Claude Code has written down for itself becomes notes. An edited note takes the place of the old one. */
export async function importMemoryMd(world: PortWorld, options: MemoryMdOptions): Promise<PortResult> {
  const found = memoryFolders(options);
  const files = found.flatMap(({ memory, project }) =>
    markdownIn(memory).map((name) => ({ path: join(memory, name), project })),
  );
  const run = createRun(world, files.length);
  for (const { memory } of found.filter(({ project }) => project === null))
    run.skip(memory, 'its project is not on this machine; name it with --dir and --project');
  for (const { path, project } of files) {
    if (project !== null) takeFile(path, project);
    if (!(await run.goesOn(1))) break;
  }
  return run.result;

  function takeFile(path: string, project: string): void {
    const read = textOf(path);
    if (typeof read !== 'string') {
      run.skip(path, read.problem);
      return;
    }
    // Before it is taken apart: what is private may begin in one bullet and end in another.
    const text = cleanText(world, read);
    const prefix = `memory-md:${digest(realpathSync(path))}:`;
    const before = world.store.memoriesFrom(prefix);
    const notes = notesFrom(path, text, prefix, projectIn(world, project));
    const added = run.add(notes);
    const present = new Set(notes.map(({ key }) => key));
    const gone = before.filter(({ origin }) => !present.has(origin));
    const fresh = notes.filter((_, index) => added[index]?.outcome === 'added');
    const pairs = editedPairs(gone, fresh, hasFrontMatter(text));
    const back = wentBack(before, gone, present);
    run.result.replaced += pairs.length + back.length;
    if (world.isDryRun) return;
    const ids = new Map(notes.map(({ key }, index) => [key, added[index]?.id ?? null]));
    world.store.reviveMemories(back.map(({ by }) => by));
    world.store.replaceMemories([
      ...back,
      ...pairs.flatMap(({ old, by }) => {
        const id = ids.get(by);
        return id ? [{ old, by: id }] : [];
      }),
    ]);
  }

  function notesFrom(path: string, text: string, prefix: string, projectId: number | null): NewMemory[] {
    const at = Math.trunc(statSync(path).mtimeMs);
    return notesIn(text, markdownIn(dirname(path)))
      .map((note) => ({ note, said: `${note.title}\n${note.narrative}` }))
      .filter(({ said }) => said.replaceAll(PRIVATE_MARK, '').trim() !== '')
      .map(({ note, said }) => ({
        ...{ ...NOTHING_ELSE, ...note, at, projectId },
        key: `${prefix}${digest(said)}`,
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
  memory: string;
  /** The folder of the project it is about; null when nobody knows. */
  project: string | null;
}

function memoryFolders({ folder, project, here }: MemoryMdOptions): MemoryFolder[] {
  if (entriesOf(folder).some((name) => name.endsWith('.md')))
    return [{ memory: folder, project: project ?? here }];
  const worked = workedFolders(folder);
  const only = project === undefined ? undefined : placeOf(project).path;
  return entriesOf(folder).flatMap((slug) => {
    const memory = join(folder, slug, 'memory');
    if (markdownIn(memory).length === 0) return [];
    const about = worked.get(slug) ?? folderWithSlug(slug);
    const isAsked = only === undefined || (about !== null && placeOf(about).path === only);
    return isAsked ? [{ memory, project: about }] : [];
  });
}

/** The index first, as Claude Code lists them; the others may lie in folders of their own. */
function markdownIn(folder: string): string[] {
  return entriesOf(folder, { recursive: true })
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

/** A note that is gone, and the new one that says most of the same; of a file that is one note, that one. */
function editedPairs(
  gone: ImportedMemory[],
  fresh: NewMemory[],
  isOneNote: boolean,
): { old: number; by: string }[] {
  const pairs = gone
    .filter(({ supersededBy }) => supersededBy === null)
    .flatMap((old) =>
      fresh.map((note) => ({ old: old.id, by: note.key, likeness: isOneNote ? 1 : likeness(old, note) })),
    )
    .filter((pair) => pair.likeness >= EDITED)
    .sort((a, b) => b.likeness - a.likeness);
  const taken = new Set<number | string>();
  return pairs.filter(({ old, by }) => {
    if (taken.has(old) || taken.has(by)) return false;
    taken.add(old).add(by);
    return true;
  });
}

/** A note that says again what it said before it was edited. */
function wentBack(before: ImportedMemory[], gone: ImportedMemory[], present: Set<string>) {
  const isGone = new Set(gone.map(({ id }) => id));
  return before.flatMap(({ id, origin, supersededBy }) =>
    present.has(origin) && supersededBy !== null && isGone.has(supersededBy)
      ? [{ old: supersededBy, by: id }]
      : [],
  );
}

interface Said {
  title: string;
  narrative: string;
}

function likeness(a: Said, b: Said): number {
  const [left, right] = [a, b].map(({ title, narrative }) => new Set(wordsIn(`${title} ${narrative}`)));
  if (!left || !right) return 0;
  const shared = [...left].filter((word) => right.has(word)).length;
  return shared === 0 ? 0 : shared / (left.size + right.size - shared);
}

/** Where it lies is nobody's business where the memory goes later. */
function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 16);
}
