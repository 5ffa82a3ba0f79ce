import { statSync } from 'node:fs';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { Observation } from '../model/memory.ts';
import { isFolderGivenUp } from '../platform/folder-answers.ts';
import { blobHash, findCheckout } from '../platform/git/checkout.ts';
import { readRegularFile } from '../platform/read-regular-file.ts';
import type { FilePin, StoredTurn } from '../store/types/memory.ts';

const LARGEST_FILE = 1_000_000;
const MOST_FILES = 20;
const MOST_SYMBOLS = 12;
/** File systems round times, and an editor may write a moment after it has said so. */
const SLACK_MS = 2_000;

interface Files {
  filesRead: string[];
  filesModified: string[];
}

/**
 * The checkout of a turn. Sessions may start in any of its folders; files of a memory are relative to the top, so
 * that the next session finds them.
 */
export function openCheckout(turn: Pick<StoredTurn, 'folder' | 'lastAt'> | null) {
  const folder = turn?.folder ?? '';
  const top = folder && (findCheckout(folder)?.top ?? folder);

  function fromTop(path: string): string {
    if (!folder) return path;
    const inside = relative(top, resolve(folder, path));
    if (inside === '' || inside.startsWith('..') || isAbsolute(inside))
      return isAbsolute(path) ? path : resolve(folder, path);
    return inside.split(sep).join('/');
  }

  function placed<T extends Files>(found: T): T {
    return {
      ...found,
      filesRead: found.filesRead.map(fromTop),
      filesModified: found.filesModified.map(fromTop),
    };
  }

  /** Only files that have not changed since the turn: the earlier content of others is unknown. */
  function pinsOf(observation: Pick<Observation, 'title' | 'narrative' | 'facts' | keyof Files>): FilePin[] {
    if (!turn || !top) return [];
    const names = namesIn([observation.title, observation.narrative, ...observation.facts].join('\n'));
    const paths = [...new Set([...observation.filesModified, ...observation.filesRead])].slice(0, MOST_FILES);
    return paths.flatMap((path) => {
      const content = readUnchanged(join(isAbsolute(path) ? '' : top, path), turn.lastAt);
      if (!content) return [];
      const text = content.toString('utf8');
      const symbols = names.filter((name) => text.includes(name)).slice(0, MOST_SYMBOLS);
      return [{ path, hash: blobHash(content), symbols }];
    });
  }

  return { placed, pinsOf };
}

function readUnchanged(path: string, since: number): Buffer | null {
  try {
    if (isFolderGivenUp(path) || statSync(path).mtimeMs > since + SLACK_MS) return null;
    return readRegularFile(path, { maxBytes: LARGEST_FILE });
  } catch {
    return null;
  }
}

/** Words that can only be names in code: camelCase, underscores, call brackets, or quoted as code. */
function namesIn(text: string): string[] {
  const names = text.matchAll(
    /`([A-Za-z_$][\w$]{2,})(?:\(\))?`|\b([A-Za-z_$][\w$]*?(?:[a-z][A-Z]|_[A-Za-z])[\w$]*|[A-Za-z_$][\w$]{2,}(?=\())/g,
  );
  return [...new Set([...names].flatMap(([, quoted, plain]) => quoted ?? plain ?? []))];
}
