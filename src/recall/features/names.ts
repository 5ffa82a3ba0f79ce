import { tokenise } from '../../indexing/tokenise.ts';
import { OBSERVATION_TYPES } from '../../model/memory.ts';
import type { SearchDoc } from '../../store/types/search.ts';

/** Names that look like words. */
const ERRORS =
  'ECONNRESET ECONNREFUSED ECONNABORTED ETIMEDOUT EPIPE ENOENT EACCES EPERM EEXIST EADDRINUSE ENOTFOUND EMFILE ' +
  'ENOSPC EBUSY EAGAIN EINVAL EISDIR ENOTDIR ENOTEMPTY EXDEV EROFS SIGKILL SIGTERM SIGINT SIGSEGV SIGPIPE SIGABRT';
let errors: ReadonlySet<string> | undefined;
let types: ReadonlySet<string> | undefined;

/** Stemmed on demand, because a hook loads this without using it. */
function errorNames(): ReadonlySet<string> {
  errors ??= new Set(tokenise(ERRORS));
  return errors;
}

/** The header has the type of a memory: how-it-works is written like a name, but any two memories may share it. */
function typeNames(): ReadonlySet<string> {
  types ??= new Set(OBSERVATION_TYPES.flatMap(tokenise));
  return types;
}

/** A path, a package, a version, an issue, a person; or a word with letters and digits. */
const NAME = /[/.#:@]|[a-z]\d|\d[a-z]/;
/** What the redactor put in place of a secret names nothing: two secrets of a kind have nothing to do with each other. */
const REDACTION_MARK = /^redacted:/;

/** The names in a document: symbols, files, packages, errors, issues. Its title's come first. */
export function extractNames({ title, body, header }: SearchDoc): Set<string> {
  const names = new Set<string>();
  for (const text of [title, body, header]) {
    const tokens = text.trim().split(' ');
    tokens.forEach((token, at) => {
      const isForm = tokens[at - 1]?.endsWith(`/${token}`);
      if (isForm || REDACTION_MARK.test(token) || typeNames().has(token)) return;
      if (NAME.test(token) || errorNames().has(token) || isWhole(token, tokens[at + 1])) names.add(token);
    });
  }
  return names;
}

/** The index has getUserName as a whole and then in stemmed parts. */
function isWhole(token: string, next = ''): boolean {
  const beginning = next.length > 3 ? next.slice(0, -1) : next;
  return beginning.length > 1 && token.length > next.length + 3 && token.startsWith(beginning);
}
