/**
 * Many paths as one text, with a NUL before and after each, as git writes them. Every character is one byte: a single
 * non-ASCII name would otherwise double the size of the whole text and slow down each search.
 */
export function joinPaths(paths: Iterable<string>): string {
  return `\0${Array.from(paths, (path) => `${path}\0`).join('')}`;
}

export function encodeBytes(text: string): string {
  return isAscii(text) ? text : Buffer.from(text).toString('latin1');
}

export function decodeBytes(bytes: string): string {
  return isAscii(bytes) ? bytes : Buffer.from(bytes, 'latin1').toString();
}

function isAscii(text: string): boolean {
  return /^[\0-\x7f]*$/.test(text);
}

/** The folders of these files and all their parents. */
export function listFolders(files: Iterable<string>): Set<string> {
  const folders = new Set<string>();
  for (const file of files)
    for (let at = file.lastIndexOf('/') + 1; at > 0; at = file.lastIndexOf('/', at - 2) + 1) {
      const folder = file.slice(0, at);
      if (folders.has(folder)) break;
      folders.add(folder);
    }
  return folders;
}

/** Binary search in a list whose paths are sorted. */
export function isInSorted(list: string, path: string): boolean {
  let low = 1;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const from = list.lastIndexOf('\0', middle - 1) + 1;
    const end = list.indexOf('\0', middle);
    const found = list.slice(from, end);
    if (found === path) return true;
    if (found < path) low = end + 1;
    else high = from;
  }
  return false;
}
