/**
 * How well a path fits what was typed (in lower case), from 0 to 1; null where it does not at all. Every character
 * has to be there in its order; the name of the file counts for more than its folders.
 */
export function matchPath(path: string, query: string): number | null {
  const lower = path.toLowerCase();
  if (!isWithin(lower, query)) return null;
  // Folders end with a slash.
  const nameAt = lower.lastIndexOf('/', lower.length - 2) + 1;
  const name = lower.slice(nameAt);
  return query.includes('/')
    ? matchWithFolders(lower, query, name)
    : matchName(path, lower, query, name, nameAt);
}

function matchName(path: string, lower: string, query: string, name: string, nameAt: number): number {
  if (name === query || name === `${query}/`) return 1;
  if (name.startsWith(query)) return name[query.length] === '.' ? 1 : 0.92;
  if (startsWord(path, lower, query, nameAt)) return 0.85;
  if (name.includes(query)) return 0.78;
  if (lower.startsWith(query) || lower.includes(`/${query}`)) return 0.68;
  if (name[0] === query[0] && initialsOf(path.slice(nameAt)).startsWith(query)) return 0.65;
  if (lower.includes(query)) return 0.62;
  return isWithin(name, query) ? 0.2 + 0.3 * closeness(name, query) : 0.3 * closeness(lower, query);
}

function matchWithFolders(lower: string, query: string, name: string): number {
  if (lower === query || lower === `${query}/`) return 1;
  if (lower.startsWith(query)) return 0.92;
  if (lower.includes(`/${query}`)) return 0.85;
  if (lower.includes(query)) return 0.75;
  return name.startsWith(query.slice(query.lastIndexOf('/') + 1)) ? 0.65 : 0.5 * closeness(lower, query);
}

function isWithin(text: string, query: string): boolean {
  let at = -1;
  for (let index = 0; index < query.length; index += 1) {
    at = text.indexOf(query.charAt(index), at + 1);
    if (at === -1) return false;
  }
  return true;
}

function startsWord(path: string, lower: string, query: string, from: number): boolean {
  for (let at = lower.indexOf(query, from); at !== -1; at = lower.indexOf(query, at + 1))
    if (/[-_. /]|[a-z\d](?=[A-Z])/.test(path.slice(at - 1, at + 1))) return true;
  return false;
}

/** `memoryStore.ts` and `memory-store.ts` are `mst`. */
function initialsOf(name: string): string {
  return (name.match(/[A-Z](?![A-Z])|(?<![A-Za-z\d])[a-z\d]|^./g) ?? []).join('').toLowerCase();
}

/** Up to 1 where the letters stand together; the last occurrences lie nearest to the file's name. */
function closeness(text: string, query: string): number {
  let at = text.length;
  let last = 0;
  for (let index = query.length - 1; index >= 0; index -= 1) {
    at = text.lastIndexOf(query.charAt(index), at - 1);
    if (index === query.length - 1) last = at;
  }
  return query.length / (last - at + 1);
}
