import type { JsonObject } from '../../model/json.ts';

/**
 * The patches of `apply_patch`:
 *
 *     *** Begin Patch
 *     *** Add File: a.txt
 *     +new line
 *     *** Update File: b.txt
 *     *** Move to: c.txt
 *     @@ class Name
 *      context
 *     -old line
 *     +new line
 *     *** Delete File: d.txt
 *     *** End Patch
 */
const FILE = /^\*\*\* (Add|Update|Delete) File: (.+)$/;
const MOVE = /^\*\*\* Move to: (.+)$/;

/** Reads each hunk as an edit of a file, with an absolute path. */
export function readPatch(patch: string, cwd: string | undefined): JsonObject[] {
  const edits: JsonObject[] = [];
  let file: { change: string; path: string } | undefined;
  let removed: string[] = [];
  let added: string[] = [];
  for (const line of patch.split(/\r?\n/)) {
    const [, change, path] = FILE.exec(line) ?? [];
    if (change !== undefined && path !== undefined) {
      closeFile();
      file = { change, path: absolute(path.trim(), cwd) };
      continue;
    }
    const moved = MOVE.exec(line)?.[1];
    if (file && moved !== undefined) file.path = absolute(moved.trim(), cwd);
    else if (line.startsWith('*** End Patch')) closeFile();
    else if (line.startsWith('@@')) closeHunk();
    else if (line.startsWith('-')) removed.push(line.slice(1));
    else if (line.startsWith('+')) added.push(line.slice(1));
    else if (line.startsWith(' ')) {
      removed.push(line.slice(1));
      added.push(line.slice(1));
    }
  }
  closeFile();
  return edits;

  function closeHunk(): void {
    if (file?.change === 'Update' && removed.length + added.length > 0)
      edits.push({ file_path: file.path, old_string: removed.join('\n'), new_string: added.join('\n') });
    if (file?.change !== 'Add') [removed, added] = [[], []];
  }

  function closeFile(): void {
    closeHunk();
    if (file?.change === 'Add') edits.push({ file_path: file.path, content: `${added.join('\n')}\n` });
    if (file?.change === 'Delete') edits.push({ file_path: file.path, old_string: '', new_string: '' });
    file = undefined;
    [removed, added] = [[], []];
  }
}

function absolute(path: string, cwd: string | undefined): string {
  if (cwd === undefined || /^(?:[\\/]|[A-Za-z]:)/.test(path)) return path;
  return `${cwd.replace(/[\\/]$/, '')}/${path.replace(/^\.\//, '')}`;
}
