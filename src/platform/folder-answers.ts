import { stat } from 'node:fs';

export interface FolderAnswer {
  inTime: boolean;
  /** Whether a thread still waits for it: a process cannot exit then, only be killed. */
  isPending(): boolean;
}

/** If our process did not get to run meanwhile, an answer that came in time has yet to be read. */
const UNREAD_MS = 50;

/**
 * Whether the disk of this folder answers in time. A dead network mount or FUSE file system blocks every synchronous
 * call on it, without limit; so the first look is made on another thread.
 */
export function askFolder(folder: string, timeoutMs: number): Promise<FolderAnswer> {
  return new Promise((resolve) => {
    let isPending = true;
    const settle = (inTime: boolean) => resolve({ inTime, isPending: () => isPending });
    let timer = setTimeout(() => {
      timer = setTimeout(settle, UNREAD_MS, false);
    }, timeoutMs);
    // Any result is an answer, an error included.
    stat(`${folder}/.git`, () => {
      isPending = false;
      clearTimeout(timer);
      settle(true);
    });
  });
}

const PROBE_MS = 1_000;
/** A folder that did not answer is left alone for this long, so that it costs its second only now and then. */
const GIVEN_UP_MS = 5 * 60_000;

export type FolderProbe = (path: string) => boolean;

/**
 * The same for synchronous code that may wait a moment: a shell looks, and is killed if it gets no answer. Each path is
 * asked once as long as it answers.
 */
export function createFolderProbe({ now = Date.now, timeoutMs = PROBE_MS } = {}): FolderProbe {
  const answering = new Set<string>();
  const givenUp = new Map<string, number>();
  return function answers(path: string): boolean {
    if (process.platform === 'win32' || answering.has(path)) return true;
    const since = givenUp.get(path);
    if (since !== undefined && Math.abs(now() - since) < GIVEN_UP_MS) return false;
    const { spawnSync } = process.getBuiltinModule('node:child_process');
    const { error } = spawnSync('/bin/sh', ['-c', '[ -e "$1/.git" ]', 'sh', path], {
      stdio: 'ignore',
      cwd: '/',
      timeout: timeoutMs,
      killSignal: 'SIGKILL',
    });
    const isDead = error !== undefined && 'code' in error && error.code === 'ETIMEDOUT';
    if (isDead) givenUp.set(path, now());
    else answering.add(path);
    return !isDead;
  };
}
