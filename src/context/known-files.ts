import { readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isSessionFileName } from '../model/session.ts';
import { makePrivateFolder, PRIVATE_FILE, readIfThere } from '../platform/files.ts';
import type { Paths } from '../platform/paths.ts';

/**
 * The files that have memories for a session. capture.sh sources the list before every read and starts node only for
 * one of these files, so the list is a shell test of `$cairn_path`. Paths consist of plain characters, with `*` for all
 * others, and can only be patterns.
 */
const HEAD = 'case $cairn_path in ';
const FOOT = ') cairn_known=1 ;; esac\n';
const BETWEEN = '|';

const OLD_MS = 7 * 86_400_000;

export function writeKnownFiles(paths: Paths, session: string, files: string[]): void {
  const list = fileOf(paths, session);
  if (!list) return;
  if (files.length === 0) {
    rmSync(list, { force: true });
    return;
  }
  makePrivateFolder(paths.knownFiles);
  const text = HEAD + [...new Set(files.map(patternOf))].join(BETWEEN) + FOOT;
  if (readIfThere(list) !== text) put(list, text);
}

/** Removes a file whose memories were given: later reads need no answer. */
export function dropKnownFile(paths: Paths, session: string, file: string): void {
  const list = fileOf(paths, session);
  const text = list && readIfThere(list);
  if (!list || !text) return;
  const patterns = text.slice(HEAD.length, -FOOT.length).split(BETWEEN);
  const left = patterns.filter((pattern) => pattern !== patternOf(file));
  if (left.length === 0) rmSync(list, { force: true });
  else put(list, HEAD + left.join(BETWEEN) + FOOT);
}

/** Removes lists by age, because any session may be continued. */
export function removeOldLists(paths: Paths, now: number): void {
  for (const name of namesIn(paths.knownFiles)) {
    const list = join(paths.knownFiles, name);
    const writtenAt = statSync(list, { throwIfNoEntry: false })?.mtimeMs ?? now;
    if (now - writtenAt > OLD_MS) rmSync(list, { force: true });
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** The path of a list; null for a session id that capture.sh does not accept as a file name. */
function fileOf(paths: Paths, session: string): string | null {
  return isSessionFileName(session) ? join(paths.knownFiles, session) : null;
}

/** Written atomically, because a shell may be reading it. It need not survive a power cut. */
function put(list: string, text: string): void {
  const draft = `${list}.${process.pid}`;
  writeFileSync(draft, text, { mode: PRIVATE_FILE });
  renameSync(draft, list);
}

function patternOf(file: string): string {
  const plain = file.replace(/[^A-Za-z0-9._/-]+/g, '*');
  return file.startsWith('/') ? plain : `*/${plain}`;
}
