import type { Turn } from '../../turn.ts';
import type { FileEdit } from './edits.ts';
import { listGitRestores, restoresFile } from './git-restores.ts';
import type { Run } from './runs.ts';

/** The edits that were still there at the end: not taken back by git, not a scratch file that was removed again. */
export function findKeptEdits(edits: FileEdit[], turn: Turn, runs: Run[]): FileEdit[] {
  const placeOf = new Map(turn.calls.map(({ event }, place) => [event, place]));
  const done = runs.filter(({ call }) => call.outcome === 'success');
  return edits.filter((edit) => {
    if (edit.removed && (edit.created || /\.(?:bak|orig|tmp)$/.test(edit.path))) return false;
    if (/^\/(?:tmp|var\/tmp|private\/tmp)\//.test(edit.path)) return false;
    const last = placeOf.get(edit.events.at(-1) ?? -1) ?? 0;
    return !listGitRestores(done, turn.folder, last).some((restore) => restoresFile(restore, edit.path));
  });
}

/** Where among the calls something was last taken back; what was red before that is of no matter any more. */
export function findLastRevert(runs: Run[], folder: string): number {
  const done = runs.filter(({ call }) => call.outcome === 'success');
  return Math.max(-1, ...listGitRestores(done, folder).map(({ place }) => place));
}
