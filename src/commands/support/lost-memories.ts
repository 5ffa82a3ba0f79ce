import { findDamagedCopies } from '../../capture/damaged-copies.ts';
import { formatDay } from '../../context/words.ts';
import { withCairnCommand } from '../../platform/cairn-command.ts';
import type { Call } from './command.ts';

/** For a command that finds nothing: the reason may be that memories were lost with a damaged database. */
export function mentionLostMemories({ paths, err }: Pick<Call, 'paths' | 'err'>): void {
  const lost = findDamagedCopies(paths).findLast(({ isWhole }) => !isWhole);
  if (lost)
    err(
      withCairnCommand(
        `The database was damaged on ${formatDay(lost.at)} and memories may be missing. See: cairn doctor`,
      ),
    );
}
