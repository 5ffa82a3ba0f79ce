import { basename, join } from 'node:path';
import { listNames } from '../platform/files.ts';
import type { Paths } from '../platform/paths.ts';
import { createStateNote } from '../platform/state-note.ts';

/** A damaged database, kept when it was rebuilt. It exists until the person deletes it. */
export interface DamagedCopy {
  path: string;
  at: number;
  /** Null if the note about the rebuild is gone. */
  rows: number | null;
  /** Whether every row could be read. */
  isWhole: boolean;
}

/** What was saved from each copy, by the name of its file. */
const saved = createStateNote<Record<string, { rows: number; isWhole: boolean }>>('damaged-copies');

export function recordDamagedCopy(
  paths: Paths,
  { damaged, rows, incomplete }: { damaged: string; rows: number; incomplete: string[] },
): void {
  const names = listCopies(paths);
  const others = Object.entries(saved.read(paths) ?? {}).filter(([name]) => names.includes(name));
  const isWhole = incomplete.length === 0;
  saved.write(paths, Object.fromEntries([...others, [basename(damaged), { rows, isWhole }]]));
}

export function findDamagedCopies(paths: Paths): DamagedCopy[] {
  const notes = saved.read(paths) ?? {};
  return listCopies(paths).map((name) => ({
    path: join(paths.home, name),
    at: timeOf(name),
    rows: notes[name]?.rows ?? null,
    isWhole: notes[name]?.isWhole ?? false,
  }));
}

/** Without the files that belong to a copy, such as its WAL. */
function listCopies({ home, database }: Paths): string[] {
  const prefix = `${basename(database)}.damaged-`;
  return listNames(home).filter((name) => name.startsWith(prefix) && name.endsWith('Z'));
}

/** `cairn.db.damaged-2026-11-19T22-08-36-947Z`: some systems allow no colons in a name. */
function timeOf(name: string): number {
  const time = name.slice(name.lastIndexOf('.damaged-') + '.damaged-'.length);
  return Date.parse(time.replace(/T(\d\d)-(\d\d)-(\d\d)-(\d{3})Z$/, 'T$1:$2:$3.$4Z'));
}
