/** An error as text without paths, numbers and addresses, which makes the same error the same text everywhere. */
export interface ErrorText {
  /** Its class or code: `TypeError`, `ERR_MODULE_NOT_FOUND`, `TS2345`. Empty if it has none. */
  name: string;
  message: string;
  /** The functions and files of its stack, innermost first. */
  frames: string[];
}

/** Errors per failed call: later errors are mostly consequences of the first. */
export const ERRORS_OF_ONE = 3;

const LONGEST_TEXT = 40_000;
const MOST_LINES = 600;
const MOST_FRAMES = 8;
const LONGEST_MESSAGE = 300;

/** TypeError: x · Error [CODE]: x · error TS2345: x · error[E0382]: x · fatal: x · npm error code X */
const NAMED =
  /^\W*(?:Uncaught |Caused by: |throw new |raise |(?:npm|pnpm|yarn) (?:ERR!|error) code )?((?:[\w$]+[.:]+)*(?:[A-Z][\w$]*)?(?:Error|Exception|Warning|Failure|Fault|Panic))(?: ?\[?(\b[A-Z][A-Z0-9_]{3,}\b)\]?)?(?:: (.*)|\s*$)/;
/** Beginnings of the codes of the system and of npm, after the E. EXISTS and EMAIL are not errors. */
const CODES =
  'ACCES ADDR AFNO AGAIN ALREADY BAD BUSY CANCEL CHILD CONN DEADLK DESTADDR DOM DQUOT EXIST\\b FAULT FBIG HOST IDRM ILSEQ ' +
  'INPROGRESS INTEGRITY INTR INVAL ISCONN ISDIR JSON LIFECYCLE LOOP MFILE MLINK MSGSIZE MULTIHOP NAMETOO NEEDAUTH NET ' +
  'NFILE NO(?!UGH) NXIO OPNOT OVERFLOW OWNERDEAD PERM PIPE PROTO PUBLISH RANGE REMOTE RESOLVE ROFS SHUTDOWN SPIPE SRCH ' +
  'STALE TARGET TIME TOOMANY TXTBSY UNKNOWN UNSUPPORTED USAGE WOULDBLOCK XDEV';
const CODED = new RegExp(
  `\\b(ERR_[A-Z0-9_]+|E(?:${CODES.replaceAll(' ', '|')})[A-Z]*|TS\\d{4,5}|E\\d{4}|SIG[A-Z]{3,}|SQLITE_[A-Z_]+|[A-Z][A-Z0-9]*_(?:NOT|NO|IS|IN|INVALID|FAILED|ERROR|TIMEOUT|DENIED|MISSING|UNKNOWN)(?:_[A-Z0-9]+)*)\\b`,
);
const PLAIN =
  /^\W*(?:[\w./-]+: )*?(?:error|fatal|panic|exception|failed|failure)(?:\[\w+\])?(?: \w+)?: (.+)$/i;
const SHELL =
  /(?:command not found|no such file or directory|permission denied|address already in use|cannot find module|not recognized|connection refused|timed out|segmentation fault|out of memory|not found)/i;
const FRAME =
  /^\s*(?:at (?:async )?(?:(?<js>[\w$.<>[\] ]+?) \()?(?<file>[^()\s]+?):\d+(?::\d+)?\)?|at (?<java>[\w$.]+)\((?<source>[\w.]+):\d+\)|File "(?<py>[^"]+)", line \d+(?:, in (?<def>\S+))?)\s*$/;
/** Lines that the client or the runtime adds around an error. */
const NOISE = /^(?:Exit code \d+|<\/?[\w-]+>|Node\.js v[\d.]+|Traceback \(most recent call last\):)$/i;

/** The errors in an output or a pasted text, at most `most`. Without a named error, the first line. */
export function parseErrors(text: string, most: number): ErrorText[] {
  const lines = text.slice(0, LONGEST_TEXT).split(/\r?\n/).slice(0, MOST_LINES);
  const frames = lines.flatMap(frameIn).slice(0, MOST_FRAMES);
  const found = new Map<string, ErrorText>();
  for (const line of lines) {
    const error = errorIn(line);
    if (!error) continue;
    const key = `${error.name}\n${error.message}`;
    if (!found.has(key)) found.set(key, { ...error, frames: found.size === 0 ? frames : [] });
    if (found.size === most) break;
  }
  if (found.size > 0) return [...found.values()];
  const first = lines.find((line) => line.trim() !== '' && !NOISE.test(line.trim()) && !FRAME.test(line));
  const message = normaliseError(first ?? '');
  return message === '' ? [] : [{ name: '', message, frames }];
}

/** Whether a text is or quotes an error. */
export function hasErrorName(text: string): boolean {
  return listErrorNames(text).length > 0;
}

const NAME = /\b(?:[A-Z][\w$]*(?:Error|Exception|Panic)|[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+|TS\d{4,5})\b/g;

/** Error names in a text, as written: `TypeError`, `MODULE_NOT_FOUND`, `ECONNRESET`. */
export function listErrorNames(text: string): string[] {
  if (!/[A-Z]/.test(text)) return [];
  const coded = text.match(new RegExp(CODED, 'g')) ?? [];
  return [...new Set([...(text.match(NAME) ?? []), ...coded])];
}

function errorIn(line: string): Omit<ErrorText, 'frames'> | null {
  if (line.length > 2_000 || NOISE.test(line.trim()) || FRAME.test(line)) return null;
  const [, called, code, message = ''] = NAMED.exec(line) ?? [];
  if (called) return { name: [called, code].filter(Boolean).join(' '), message: normaliseError(message) };
  const coded = CODED.exec(line)?.[1];
  if (coded) return { name: coded, message: normaliseError(line.replace(coded, ' ')) };
  const plain = PLAIN.exec(line)?.[1] ?? (SHELL.test(line) ? line : undefined);
  return plain === undefined ? null : { name: '', message: normaliseError(plain) };
}

function frameIn(line: string): string[] {
  const found = FRAME.exec(line)?.groups;
  if (!found) return [];
  const { js, file, java, source, py, def } = found;
  const path = file ?? source ?? py ?? '';
  if (/^node:|node_modules|^internal\//.test(path)) return [];
  return [[js ?? java ?? def ?? '', baseName(path)].filter(Boolean).join(' ')];
}

/** Reduces paths to file names and removes numbers, addresses, versions and times. */
export function normaliseError(text: string): string {
  return text
    .replace(/\b(?:https?|file|ws):\/\/\S+/g, ' ')
    .replace(/(?:[A-Za-z]:)?(?:[\w.@~-]*[/\\])+[\w.@~-]*/g, baseName)
    .replace(/\b0x[0-9a-f]+\b|\b[0-9a-f]{8}-[0-9a-f-]{27}\b|\b[0-9a-f]{12,}\b/gi, ' ')
    .replace(/\bv?\d[\d.,:]*(?:ms|s|kb|mb|gb|%|px)?(?![A-Za-z0-9_])/gi, ' ')
    .replace(/:(?=\s|$)|\(\s*\)/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, LONGEST_MESSAGE);
}

function baseName(path: string): string {
  return (
    path
      .split(/[/\\]/)
      .filter(Boolean)
      .at(-1)
      ?.replace(/:\d+.*$/, '') ?? ''
  );
}
