import { type Dirent, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { quoteForShell } from '../../platform/shell.ts';
import { laterOutput } from '../later-output.ts';
import type { KnownFiles } from './rank.ts';

export interface FilesWanted {
  top: string;
  isGit: boolean;
  /** Where git's answers are kept: of a large repository they come too late for the call that asked. */
  kept: string;
  until: number;
  now: () => number;
}

/** Of a keystroke's age or two they are as good as new. */
const LIST_FRESH_MS = 3_000;
const LOG_FRESH_MS = 60_000;
/** What is left for a look around when git has not answered. */
const WALK_MS = 50;
const MOST_WALKED = 20_000;
const NEVER_WALKED = new Set(['node_modules', '__pycache__', 'venv']);

/** One commit may hold everything. */
const LOG = 'log -n 40 --no-merges --name-only --format= -z | head -c 20000';

export interface ProjectFiles extends Omit<KnownFiles, 'remembered'> {
  /** Otherwise only those that could be seen in time. */
  isWhole: boolean;
}

export async function projectFiles(wanted: FilesWanted): Promise<ProjectFiles> {
  if (wanted.isGit) {
    const known = await filesOfGit(wanted);
    if (known.list.length > 1) return { ...known, isWhole: true };
  }
  return { list: listOf(walk(wanted)), gone: new Set(), dirty: new Set(), committed: [], isWhole: false };
}

async function filesOfGit({ top, kept, until, now }: FilesWanted): Promise<Omit<ProjectFiles, 'isWhole'>> {
  const ask = (name: string, call: string, freshMs: number) => {
    const command = `git --no-optional-locks -C ${quoteForShell(top)} ${call}`;
    const waitMs = until - WALK_MS - now();
    return laterOutput({ command, folder: top, kept: `${kept}.${name}`, freshMs, waitMs }, now());
  };
  const [listed, changed, logged] = await Promise.all([
    ask('listed', 'ls-files -z', LIST_FRESH_MS),
    ask('changed', 'status --porcelain -z --no-renames -uall', LIST_FRESH_MS),
    ask('logged', LOG, LOG_FRESH_MS),
  ]);
  const { dirty, fresh, gone } = readStatus(changed);
  const committed = [...new Set(entries(logged))];
  return { list: `\0${listed}${fresh.map((path) => `${path}\0`).join('')}`, gone, dirty, committed };
}

/** As git writes its lists, and with a NUL before the first. */
export function listOf(files: string[]): string {
  return `\0${files.map((path) => `${path}\0`).join('')}`;
}

/** `XY path` each. */
function readStatus(status: string): { dirty: Set<string>; fresh: string[]; gone: Set<string> } {
  const dirty = new Set<string>();
  const gone = new Set<string>();
  const fresh: string[] = [];
  for (const entry of entries(status)) {
    const path = entry.slice(3);
    if (entry.startsWith('??')) fresh.push(path);
    if (entry[1] === 'D' || entry[0] === 'D') gone.add(path);
    else dirty.add(path);
  }
  return { dirty, fresh, gone };
}

/** Each with a NUL behind it; what has none was cut off. */
function entries(output: string): string[] {
  return output.split('\0').slice(0, -1);
}

/** The nearest files first, and never for long: a home may hold anything. */
function walk({ top, until, now }: FilesWanted): string[] {
  const files: string[] = [];
  const folders = [''];
  for (const folder of folders) {
    if (files.length >= MOST_WALKED || now() >= until) break;
    for (const entry of contentOf(join(top, folder))) {
      if (entry.name.startsWith('.') || NEVER_WALKED.has(entry.name)) continue;
      if (entry.isDirectory()) folders.push(`${folder}${entry.name}/`);
      else if (entry.isFile()) files.push(folder + entry.name);
    }
  }
  return files;
}

function contentOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
