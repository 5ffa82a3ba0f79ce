import { isAbsolute, join } from 'node:path';
import { statIfThere } from '../platform/files.ts';
import { isFolderGivenUp } from '../platform/folder-answers.ts';
import { blobHash } from '../platform/git/checkout.ts';
import { readRegularFile } from '../platform/read-regular-file.ts';
import type { FilePin, StoredMemory } from '../store/types/memory.ts';

/** `unknown`: the earlier content of its files was not recorded, or they are too large to read. */
export type FreshnessState = 'unchanged' | 'changed' | 'gone' | 'unknown';

export interface Freshness {
  state: FreshnessState;
  /** Changed since the memory was made. */
  changed: string[];
  /** Deleted, or without any of the names in the memory. */
  gone: string[];
  /** All names in the memory are still there: it may still hold. */
  namesRemain: boolean;
}

const LARGEST_FILE = 1_000_000;
/** For all memories of one answer: a hook has no time for more. */
const MOST_BYTES = 4_000_000;

/** Checks each file once, however many memories are about it. `top` is the current checkout. */
export function createFreshness(top: string): (memory: Pick<StoredMemory, 'pins' | 'at'>) => Freshness {
  const seen = new Map<string, FileSeen>();
  let bytesLeft = MOST_BYTES;

  function look(path: string): FileSeen {
    const known = seen.get(path);
    if (known) return known;
    const found = readFile(isAbsolute(path) ? path : join(top, path));
    seen.set(path, found);
    return found;
  }

  /** Reads only files written since the memory was made: git and editors set the modification time. */
  function stateOf(pin: FilePin, madeAt: number): PinState {
    const file = look(pin.path);
    if (file.isThere === null) return 'unknown';
    if (!file.isThere) return 'gone';
    if (file.writtenAt <= madeAt) return 'unchanged';
    if (file.content === undefined) {
      file.content =
        file.size > Math.min(LARGEST_FILE, bytesLeft)
          ? null
          : readRegularFile(file.path, { maxBytes: LARGEST_FILE });
      bytesLeft -= file.content?.length ?? 0;
    }
    return file.content ? compare(pin, file.content) : 'unknown';
  }

  return ({ pins, at }) => {
    const states = pins.map((pin) => ({ path: pin.path, state: stateOf(pin, at) }));
    const paths = (...wanted: PinState[]) =>
      states.filter(({ state }) => wanted.includes(state)).map(({ path }) => path);
    const gone = paths('gone');
    const changed = paths('changed', 'names remain');
    return {
      state: combineStates(states.map(({ state }) => state)),
      changed,
      gone,
      namesRemain: gone.length === 0 && paths('changed').length === 0,
    };
  };
}

/** For the agent; empty if everything is fresh. */
export function describeFreshness({ state, changed, gone, namesRemain }: Freshness): string {
  if (state === 'unchanged' || state === 'unknown') return '';
  const are = (paths: string[], one: string, many: string) =>
    `${formatPaths(paths)} ${paths.length === 1 ? one : many}`;
  if (namesRemain)
    return `${are(changed, 'has', 'have')} changed since, but still ${changed.length === 1 ? 'contains' : 'contain'} the names in this memory`;
  return [
    changed.length > 0 && `${are(changed, 'has', 'have')} changed since`,
    gone.length > 0 &&
      `${are(gone, 'is', 'are')} gone, or no longer ${gone.length === 1 ? 'contains' : 'contain'} the names in this memory`,
  ]
    .filter(Boolean)
    .join('; ');
}

type PinState = 'unchanged' | 'changed' | 'names remain' | 'gone' | 'unknown';

interface FileSeen {
  path: string;
  /** Null if that cannot be found out: its folder may not be entered, or its disk does not answer. */
  isThere: boolean | null;
  writtenAt: number;
  size: number;
  /** Undefined until it is read, null if it cannot be read. */
  content?: Buffer | null;
}

function readFile(path: string): FileSeen {
  const unknown = { path, isThere: null, writtenAt: 0, size: 0 };
  if (isFolderGivenUp(path)) return unknown;
  try {
    const stats = statIfThere(path);
    return {
      path,
      isThere: stats?.isFile() ?? false,
      writtenAt: stats?.mtimeMs ?? 0,
      size: stats?.size ?? 0,
    };
  } catch {
    return unknown;
  }
}

function compare({ hash, symbols }: FilePin, content: Buffer): PinState {
  if (blobHash(content) === hash) return 'unchanged';
  if (symbols.length === 0) return 'changed';
  const text = content.toString('utf8');
  const remaining = symbols.filter((name) => text.includes(name));
  if (remaining.length === 0) return 'gone';
  return remaining.length === symbols.length ? 'names remain' : 'changed';
}

function combineStates(states: PinState[]): FreshnessState {
  const known = states.filter((state) => state !== 'unknown');
  if (known.length === 0) return 'unknown';
  if (known.every((state) => state === 'gone')) return 'gone';
  return known.every((state) => state === 'unchanged') ? 'unchanged' : 'changed';
}

function formatPaths(paths: string[]): string {
  const shown = paths.slice(0, 2).join(' and ');
  return paths.length > 2 ? `${shown} and ${paths.length - 2} more` : shown;
}
