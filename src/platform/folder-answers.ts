import { stat } from 'node:fs';
import { resolve, sep } from 'node:path';
import { errorCode } from './files.ts';

/** Results of this process so far. */
const answering = new Set<string>();
const deadFolders = new Map<string, number>();

let pending = 0;

/** If the event loop was blocked, an answer that arrived in time has not been read yet. */
const UNREAD_MS = 50;

/**
 * Whether the disk of this folder answers in time. A dead network mount or FUSE file system blocks every synchronous
 * call on it indefinitely, so the first access happens on another thread.
 */
export function askFolder(folder: string, timeoutMs: number): Promise<boolean> {
  if (hasNul(folder)) return Promise.resolve(true);
  return new Promise((settle) => {
    let timer = setTimeout(() => {
      timer = setTimeout(settle, UNREAD_MS, false);
    }, timeoutMs);
    pending++;
    // Any result is an answer, an error included.
    stat(`${folder}/.git`, () => {
      pending--;
      clearTimeout(timer);
      answering.add(resolve(folder));
      settle(true);
    });
  });
}

/** Such a path is invalid, so no disk is involved; Node would throw. */
function hasNul(path: string): boolean {
  return path.includes('\0');
}

/** Whether a thread is still waiting for a folder: then the process cannot exit, only be killed. */
export function isWaitingForFolder(): boolean {
  return pending > 0;
}

const PROBE_MS = 1_000;
/** A folder that did not answer is not tried again for this long: each attempt costs a second. */
const GIVEN_UP_MS = 5 * 60_000;

/**
 * Like `askFolder`, for synchronous code that can wait a moment: a shell accesses the folder and is killed if it gets
 * no answer. A folder that answered is not asked again.
 */
export function doesFolderAnswer(path: string, timeoutMs = PROBE_MS): boolean {
  const folder = resolve(path);
  if (process.platform === 'win32' || answering.has(folder) || hasNul(folder)) return true;
  if (isFolderGivenUp(folder)) return false;
  const { spawnSync } = process.getBuiltinModule('node:child_process');
  const { error } = spawnSync('/bin/sh', ['-c', '[ -e "$1/.git" ]', 'sh', folder], {
    stdio: 'ignore',
    cwd: '/',
    timeout: timeoutMs,
    killSignal: 'SIGKILL',
  });
  const isDead = error !== undefined && errorCode(error) === 'ETIMEDOUT';
  if (isDead) deadFolders.set(folder, performance.now());
  else answering.add(folder);
  return !isDead;
}

/** Whether this path is in a folder that recently did not answer; does not touch the disk. */
export function isFolderGivenUp(path: string): boolean {
  for (const [folder, at] of deadFolders) {
    if (performance.now() - at > GIVEN_UP_MS) deadFolders.delete(folder);
    else if (path === folder || path.startsWith(folder + sep)) return true;
  }
  return false;
}
