import { existsSync, readdirSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { findPlace } from '../../capture/place.ts';
import type { Environment } from '../../config/environment.ts';
import { isObject } from '../../model/json.ts';
import { hasControls } from '../../platform/control-characters.ts';
import { realPath } from '../../platform/files.ts';
import { askFolder } from '../../platform/folder-answers.ts';
import { findCheckout } from '../../platform/git/checkout.ts';
import { type Paths, pathsOf } from '../../platform/paths.ts';
import { quickHash } from '../../platform/quick-hash.ts';
import { openQuickReader } from '../../store/sqlite/quick-reader.ts';
import type { RememberedFile } from '../../store/types/quick-reader.ts';
import { readCachedOutput } from '../support/cached-output.ts';
import { encodeBytes } from './path-list.ts';
import { createFileList, listProjectFiles, mergeFileLists } from './project-files.ts';
import { rankFiles } from './rank.ts';

export interface SuggestCall {
  /** `{ session_id, cwd, query }` on stdin. */
  input: Buffer;
  /** The person's own command for suggestions, which ran before Cairn's. */
  theirs?: string | undefined;
  env: Environment;
  now?: () => number;
}

const MOST = 20;
/** The person is typing, so late results are useless. */
const BUDGET_MS = 150;
const BUSY_MS = 30;

/** Paths relative to the agent's folder, one per line; those of the previous command come first. */
export async function suggestFiles({ input, theirs, env, now = Date.now }: SuggestCall): Promise<string[]> {
  const until = now() + BUDGET_MS;
  const { folder, query, session } = readCall(input);
  if (!(await askFolder(folder, BUDGET_MS))) return [];
  const paths = pathsOf(env.cairnHome);
  const kept = (about: string) => join(paths.state, 'files', quickHash(about));
  const waiting = theirs
    ? readCachedOutput(
        { command: theirs, folder, input, kept: kept(`${session} theirs`), waitMs: BUDGET_MS },
        now(),
      )
    : '';
  const ours = /^(?:~?\/|~$)/.test(query)
    ? inFolder(query, env.userHome)
    : await inProject({ folder, query, session, paths, kept, until, now }).catch(() => []);
  // A line break in a name would make two paths, and an escape sequence would reach the terminal.
  const isPath = (line: string) => line.trim() !== '' && !hasControls(line);
  const first = (await waiting).split('\n').filter(isPath);
  const all = new Set([...first, ...ours.filter(isPath).slice(0, MOST)]);
  return [...all].slice(0, Math.max(MOST, first.length));
}

interface SuggestRequest {
  folder: string;
  query: string;
  session: string;
  paths: Paths;
  kept(about: string): string;
  until: number;
  now: () => number;
}

async function inProject({
  folder,
  query,
  session,
  paths,
  kept,
  until,
  now,
}: SuggestRequest): Promise<string[]> {
  const here = realPath(folder);
  const checkout = findCheckout(here);
  const top = checkout?.top ?? here;
  const waiting = listProjectFiles({ top, isGit: checkout !== null, kept: kept(top), until, now });
  const remembered = rememberedFiles(paths, folder, session).map((file) => ({
    ...file,
    path: file.path.startsWith(top + sep) ? file.path.slice(top.length + 1) : file.path,
  }));
  const known = await waiting;
  const found = known.isWhole ? known : mergeFileLists(known, createFileList(findExisting(top, remembered)));
  const below = relative(top, here).split(sep).join('/');
  return rankFiles(
    { ...found, remembered: remembered.map((file) => ({ ...file, path: encodeBytes(file.path) })) },
    {
      query: query.replace(/^(?:\.\/)+/, ''),
      prefix: below === '' ? '' : `${encodeBytes(below)}/`,
      limit: MOST,
    },
  );
}

/** For an incomplete list: remembered files that still exist. */
function findExisting(top: string, remembered: RememberedFile[]): string[] {
  const latest = remembered.toSorted((a, b) => b.at - a.at).slice(0, 100);
  return latest.map(({ path }) => path).filter((path) => existsSync(join(top, path)));
}

function rememberedFiles(paths: Paths, folder: string, session: string): RememberedFile[] {
  if (!existsSync(paths.database)) return [];
  try {
    const glance = openQuickReader(paths.database, BUSY_MS);
    try {
      return glance.listFiles(findPlace(folder), session);
    } finally {
      glance.close();
    }
  } catch {
    return [];
  }
}

/** Completes a path from the root or the home like a shell. */
function inFolder(query: string, userHome: string): string[] {
  const typed = query === '~' ? '~/' : query;
  const folder = typed.slice(0, typed.lastIndexOf('/') + 1);
  const begin = typed.slice(folder.length);
  try {
    return readdirSync(folder.replace(/^~/, userHome), { withFileTypes: true })
      .filter(({ name }) => name.startsWith(begin) && (begin !== '' || !name.startsWith('.')))
      .map((entry) => `${folder}${entry.name}${entry.isDirectory() ? '/' : ''}`)
      .sort();
  } catch {
    return [];
  }
}

function readCall(input: Buffer): { folder: string; query: string; session: string } {
  let call: unknown;
  try {
    call = JSON.parse(input.toString('utf8'));
  } catch {
    call = null;
  }
  const { cwd, query, session_id: session } = isObject(call) ? call : {};
  return {
    folder: typeof cwd === 'string' && cwd !== '' ? cwd : process.cwd(),
    query: typeof query === 'string' ? query : '',
    session: typeof session === 'string' ? session : '',
  };
}
