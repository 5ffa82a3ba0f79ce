import type { Turn } from '../../turn.ts';
import type { FileEdit } from './edits.ts';
import { inProject } from './paths.ts';
import type { Run } from './runs.ts';

/** The edits that were still there at the end: not taken back by git, not a scratch file that was removed again. */
export function findKeptEdits(edits: FileEdit[], turn: Turn, runs: Run[]): FileEdit[] {
  const placeOf = new Map(turn.calls.map(({ event }, place) => [event, place]));
  const undoings = runs.flatMap((run) =>
    run.call.outcome === 'success' ? undoingsIn(run, turn.folder) : [],
  );
  return edits.filter((edit) => {
    if (edit.removed && (edit.created || /\.(?:bak|orig|tmp)$/.test(edit.path))) return false;
    if (/^\/(?:tmp|var\/tmp|private\/tmp)\//.test(edit.path)) return false;
    const last = placeOf.get(edit.events.at(-1) ?? -1) ?? 0;
    return !undoings.some(({ place, takesBack }) => place > last && takesBack(edit.path));
  });
}

/** Where among the calls something was last taken back; what was red before that is of no matter any more. */
export function findLastRevert(runs: Run[], folder: string): number {
  const places = runs.flatMap((run) =>
    run.call.outcome === 'success' ? undoingsIn(run, folder).map(({ place }) => place) : [],
  );
  return Math.max(-1, ...places);
}

interface Undoing {
  place: number;
  takesBack(path: string): boolean;
}

function undoingsIn({ steps, place }: Run, folder: string): Undoing[] {
  return steps.flatMap(({ words }) => {
    const [git, verb = '', ...rest] = words;
    if (git !== 'git') return [];
    const hard = verb === 'reset' && rest.includes('--hard');
    const stash = verb === 'stash' && (rest.length === 0 || rest[0] === 'push' || rest[0]?.startsWith('-'));
    if (hard || stash) return [{ place, takesBack: () => true }];
    if (verb !== 'restore' && verb !== 'checkout') return [];
    const names = rest.filter((word) => !word.startsWith('-')).map((word) => inProject(word, folder));
    const paths = rest.includes('--') || verb === 'restore' || names.includes('.') ? names : [];
    const takesBack = (path: string) =>
      paths.some((name) => name === '.' || name === path || path.startsWith(`${name.replace(/\/$/, '')}/`));
    return paths.length === 0 ? [] : [{ place, takesBack }];
  });
}
