import { readFileSync, readlinkSync } from 'node:fs';
import { errorCode } from './files.ts';

/**
 * Identifies a process across time. A pid alone is not enough: it is reused, and in a container or on another machine
 * that shares the home it belongs to another process.
 */
export interface ProcessIdentity extends Machine {
  pid: number;
  /** In clock ticks since boot; only with /proc, as on Linux. */
  startTime?: string;
}

interface Machine {
  host: string;
  /** Changes with each boot. */
  bootId?: string;
  /** In a container pids are counted from 1. */
  pidNamespace?: string;
}

/** Null if there is no such process. */
export function identifyProcess(pid: number): ProcessIdentity | null {
  if (!Number.isSafeInteger(pid) || pid <= 1 || !processExists(pid)) return null;
  const startTime = readStat(pid)?.startTime;
  return { pid, ...describeMachine(), ...(startTime && { startTime }) };
}

/** `unknown`: the process is in another container or on another machine, if it runs at all. */
export function processState(
  { pid, host, bootId, pidNamespace, startTime }: ProcessIdentity,
  here = describeMachine(),
): 'running' | 'gone' | 'unknown' {
  if (host !== here.host) return 'unknown';
  if (bootId !== here.bootId) return bootId && here.bootId ? 'gone' : 'unknown';
  if (pidNamespace !== here.pidNamespace) return 'unknown';
  if (!processExists(pid)) return 'gone';
  const stat = readStat(pid);
  return stat && (stat.isZombie || stat.startTime !== startTime) ? 'gone' : 'running';
}

export function isSameProcess(one: ProcessIdentity, other: ProcessIdentity): boolean {
  const keys = ['pid', 'startTime', 'host', 'bootId', 'pidNamespace'] as const;
  return keys.every((key) => one[key] === other[key]);
}

export function processExists(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // EPERM: it belongs to another user.
    return errorCode(error) !== 'ESRCH';
  }
}

export function describeMachine(): Machine {
  const bootId = readOrUndefined(() => readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim());
  const hostname = readOrUndefined(() => readFileSync('/proc/sys/kernel/hostname', 'latin1').trim());
  const pidNamespace = readOrUndefined(() => readlinkSync('/proc/self/ns/pid'));
  return {
    // node:os also has it, but costs a hook a millisecond to load.
    host: hostname ?? process.getBuiltinModule('node:os').hostname(),
    ...(bootId && { bootId }),
    ...(pidNamespace && { pidNamespace }),
  };
}

/** The process that started these shells: a hook may be called from a script, which ends when the hook does. */
export function skipShells(pid: number): number {
  for (let current = pid, level = 0; level < MOST_SHELLS; level++) {
    const stat = readStat(current);
    if (!stat || !SHELL.test(stat.name)) return current;
    current = stat.parent;
  }
  return pid;
}

const MOST_SHELLS = 8;
const SHELL = /^(?:sh|ash|dash|bash|zsh|ksh|mksh|fish|busybox)$/;

interface ProcessStat {
  name: string;
  isZombie: boolean;
  parent: number;
  startTime: string | undefined;
}

function readStat(pid: number): ProcessStat | undefined {
  const stat = readOrUndefined(() => readFileSync(`/proc/${pid}/stat`, 'latin1'));
  if (stat === undefined) return undefined;
  // The second field is the program's name and may contain anything. Then: state, parent and, as field 22, the start
  // time.
  const nameEnd = stat.lastIndexOf(') ');
  const [state, parent, ...fields] = stat.slice(nameEnd + 2).split(' ');
  return {
    name: stat.slice(stat.indexOf('(') + 1, nameEnd),
    isZombie: state === 'Z' || state === 'X',
    parent: Number(parent),
    startTime: fields[17],
  };
}

function readOrUndefined<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
