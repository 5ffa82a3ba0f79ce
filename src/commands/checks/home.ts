import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs';
import { markDamaged } from '../../capture/damage-mark.ts';
import { loadSettings } from '../../config/settings.ts';
import { formatCount } from '../../context/words.ts';
import { identifyFile } from '../../platform/files.ts';
import type { Paths } from '../../platform/paths.ts';
import { findForeignOwner, findSharedFiles } from '../../platform/private-home.ts';
import { VERSION } from '../../platform/version.ts';
import { openReadingStore } from '../../store/sqlite/reading-store.ts';
import type { Call } from '../support/command.ts';
import { bad, type Check, ok, warn } from './check.ts';
import { checkDamagedCopies } from './damaged-copies.ts';
import { checkProgram, repairProgram } from './program.ts';

const LITTLE_SPACE = 200 * 1024 * 1024;
/** About the size of the events of one turn. */
const FULL = 1024 * 1024;

/** The machine's side: programs, folders, disk, database and settings. */
export function checkHome(call: Call): Check[] {
  const { paths, env } = call;
  return [
    ok('version', `Cairn ${VERSION}, node ${process.versions.node}`),
    ...checkFolder(paths.home),
    ...repairProgram(call),
    ...checkProgram(call),
    checkDatabase(paths),
    ...checkDamagedCopies(paths),
    ...loadSettings(paths.config, env).problems.map((problem) =>
      warn('settings', problem, 'Run: cairn config'),
    ),
  ];
}

function checkFolder(home: string): Check[] {
  const stats = statSync(home, { throwIfNoEntry: false });
  if (!stats) return [warn('home', `${home} does not exist yet`, 'Run: cairn install')];
  const owner = findForeignOwner(home);
  if (owner !== null)
    return [
      bad(
        'home',
        `${home} belongs to another user (uid ${owner})`,
        'Set CAIRN_HOME to a folder of your own.',
      ),
    ];
  if (!stats.isDirectory() || !isWritable(home))
    return [
      bad(
        'home',
        `${home} ${stats.isDirectory() ? 'cannot be written' : 'is not a folder'}`,
        'Make it a folder of your own, or set CAIRN_HOME to another one.',
      ),
    ];
  return [checkAccess(home, stats.mode), checkDisk(home)];
}

function checkDisk(home: string): Check {
  const disk = statfsSync(home);
  const free = disk.bavail * disk.bsize;
  return free > LITTLE_SPACE
    ? ok('disk', `${formatMegabytes(free)} free`)
    : bad('disk', `only ${formatMegabytes(free)} free`, 'Free some space; events that do not fit are lost.');
}

/** Checks that hooks can write events; expects an existing home. */
export function checkSpoolWrites({ home, spool }: Paths): Check[] {
  const closed = [home, spool].find((folder) => existsSync(folder) && !isWritable(folder));
  if (closed !== undefined) return [bad('home', `${closed} cannot be written`, `Make ${closed} writable.`)];
  const disk = statfsSync(home);
  return disk.bavail * disk.bsize > FULL ? [] : [checkDisk(home)];
}

/**
 * Hooks run files in the home, so other users must not be able to write them. Files in a folder closed to others
 * cannot be reached.
 */
function checkAccess(home: string, mode: number): Check {
  const inside = findSharedFiles(home, 'to write').filter((path) => path !== home);
  if (inside.length > 0) {
    const count = formatCount(inside.length, 'file');
    return warn('home', `${count} in ${home} can be changed by others`, `Run: chmod -R go= ${home}`);
  }
  if ((mode & 0o077) === 0 || process.platform === 'win32') return ok('home', home);
  const can = (mode & 0o022) === 0 ? 'read' : 'read and changed';
  return warn('home', `${home} can be ${can} by others`, `Run: chmod 700 ${home}`);
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function checkDatabase(paths: Paths): Check {
  const path = paths.database;
  if (!existsSync(path)) return ok('database', 'none yet');
  const file = identifyFile(path);
  try {
    const store = openReadingStore(path);
    try {
      const [damage] = store.findDamage();
      if (damage) {
        markDamaged(paths, file);
        return bad(
          'database',
          `damaged: ${damage}`,
          'The next command that reads it rebuilds it. Run: cairn status',
        );
      }
      const { schemaVersion, events, sessions } = store.countEverything();
      const size = formatMegabytes(statSync(path).size);
      return ok(
        'database',
        `ok, schema ${schemaVersion}, ${formatCount(sessions, 'session')}, ${formatCount(events, 'event')}, ${size}`,
      );
    } finally {
      store.close();
    }
  } catch (error) {
    return bad(
      'database',
      error instanceof Error ? error.message : String(error),
      'Captured events are safe in the spool.',
    );
  }
}

export function formatMegabytes(bytes: number): string {
  return bytes >= 10 * 1024 ** 3
    ? `${Math.round(bytes / 1024 ** 3)} GB`
    : `${(bytes / 1024 ** 2).toFixed(1)} MB`;
}
