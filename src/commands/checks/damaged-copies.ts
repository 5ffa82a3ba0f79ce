import { type DamagedCopy, findDamagedCopies } from '../../capture/damaged-copies.ts';
import { formatCount, formatDayAndTime } from '../../context/words.ts';
import { quoteIfNeeded } from '../../platform/cairn-command.ts';
import type { Paths } from '../../platform/paths.ts';
import { type Check, warn } from './check.ts';

/** As long as a copy of a damaged database exists, what it had may be missing. */
export function checkDamagedCopies(paths: Paths): Check[] {
  return findDamagedCopies(paths).map((copy) => {
    const remove = `Delete the damaged file: rm ${quoteIfNeeded(copy.path)}*`;
    return copy.isWhole
      ? warn('damage', `${describe(copy)}; nothing is missing`, remove)
      : warn(
          'damage',
          `${describe(copy)}; memories may be missing`,
          `Run: cairn import (past sessions), or: cairn import cairn <file> (an export). ${remove}`,
        );
  });
}

function describe({ at, rows }: DamagedCopy): string {
  const saved = rows === null ? '' : ` with ${formatCount(rows, 'row')}`;
  return `the database was damaged on ${formatDayAndTime(at)} and rebuilt${saved}`;
}
