import { redactionMark } from './mark.ts';
import { secretKind } from './secret-names.ts';
import { isSecretValue, type Standing } from './secret-values.ts';

/** Every name which `secretKind` knows holds one of these. */
const HINT = /pass|pwd|_pw|secret|token|[a-z_-]key|credential|auth|jwt/gi;

/** Replaces values that stand beside a telling name: `DB_PASSWORD=…`, `"apiKey": "…"`, `--token …`. */
export function redactAssignments(text: string): string {
  let clean = '';
  let copied = 0;
  HINT.lastIndex = 0;
  for (let hit = HINT.exec(text); hit !== null; hit = HINT.exec(text)) {
    const name = nameAround(text, hit.index);
    HINT.lastIndex = Math.max(name.end, HINT.lastIndex);
    const tie = tieAfter(text, name);
    if (tie === undefined || text.endsWith('[redacted:', name.start)) continue;
    const kind = secretKind(name.text);
    const found = kind === undefined ? undefined : valueAfter(text, name, tie);
    if (kind === undefined || found === undefined) continue;
    const value = text.slice(found.start, found.end);
    if (isSecretValue({ name: name.text, kind, value, standing: found.standing })) {
      clean += text.slice(copied, found.start) + redactionMark(kind);
      copied = found.end;
      HINT.lastIndex = found.end;
    } else if (found.standing === 'bare' && value.length > LONGEST_WORD) {
      // An expression without a space, as in minified code; to look into it again and again takes for ever.
      HINT.lastIndex = found.end;
    }
  }
  return copied === 0 ? text : clean + text.slice(copied);
}

interface Name {
  text: string;
  start: number;
  end: number;
}

interface Found {
  start: number;
  end: number;
  standing: Standing;
}

const LONGEST_NAME = 80;
const LONGEST_VALUE = 8192;
const LONGEST_WORD = 256;

const inName = new Uint8Array(128);
for (const character of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_$-') {
  inName[character.charCodeAt(0)] = 1;
}

function nameAround(text: string, index: number): Name {
  let start = index;
  while (index - start < LONGEST_NAME && inName[text.charCodeAt(start - 1)] === 1) start--;
  let end = index;
  while (end - index < LONGEST_NAME && inName[text.charCodeAt(end)] === 1) end++;
  // The letter of an escaped newline is not the name's first.
  if (text.charAt(start - 1) === '\\' && /[nrt]/.test(text.charAt(start))) start++;
  return { text: text.slice(start, end), start, end };
}

/** The end of a quoted name, perhaps a type, then what ties the value to the name. */
const TIE =
  /(?:\\{0,8}["'`])?\]?[?!]?[ \t]*(?::[ \t]*[\w&'*[\]<>]{1,30}(?: \w{1,10})?[ \t]*=(?![=>])|=>|:=|[!=]?={1,2}|:(?!:)|,|>|[ \t]is[ \t]:?)\s*/y;
const OPTION_TIE = /=|\s+/y;
const OPENING_QUOTE = /(?:[A-Za-z]{1,2}|\$|@)?(\\*)(["'`])/y;
/** `set('apiKey', '…')` is a pair, `['apiKey', 'token']` a list of names. */
const FIRST_ARGUMENT = /\(\s*\\*["'`]$/;
const BARE = /[^\s"'`]{1,8192}/y;

function tieAfter(text: string, name: Name): RegExpExecArray | undefined {
  const optionTie = name.text.startsWith('--') ? matchAt(OPTION_TIE, text, name.end) : null;
  return optionTie ?? matchAt(TIE, text, name.end) ?? undefined;
}

function valueAfter(text: string, name: Name, tie: RegExpExecArray): Found | undefined {
  const option = name.text.startsWith('--');
  const tieEnd = name.end + tie[0].length;
  const quote = matchAt(OPENING_QUOTE, text, tieEnd);
  if (tie[0].trimEnd().endsWith(',')) {
    const firstArgument = FIRST_ARGUMENT.test(text.slice(Math.max(0, name.start - 12), name.start));
    if (quote === null || !firstArgument) return undefined;
  }
  if (tie[0].trimEnd().endsWith('>') && !tie[0].includes('=')) {
    return text.charAt(name.start - 1) === '<' ? elementValue(text, tieEnd) : undefined;
  }
  const inQuery = /[?&]/.test(text.charAt(name.start - 1));
  const literal = option || inQuery || LITERAL_LINE.test(name.text + tie[0]);
  if (quote !== null) {
    const start = tieEnd + quote[0].length;
    const end = endOfQuoted(text, start, quote[2] ?? '"', quote[1]?.length ?? 0);
    return { start, end, standing: literal && !tie[0].includes(':') ? 'literal' : 'quoted' };
  }
  if (!option && tie[0].includes('\n')) return undefined;
  const bare = matchAt(BARE, text, tieEnd);
  if (bare === null || (option && bare[0].startsWith('-'))) return undefined;
  if (/\sis\s/.test(tie[0]) && !/^(?=.*\d).{8}/.test(bare[0])) return undefined;
  const length = lengthOfBare(bare[0], inQuery);
  return { start: tieEnd, end: tieEnd + length, standing: literal ? 'literal' : 'bare' };
}

/** `FOO_TOKEN=…`, `FOO_TOKEN: …`, `X-Api-Key: …`, but not `const FOO_TOKEN = …`. */
const LITERAL_LINE = /^(?:[A-Z][A-Z0-9_]*(?:=(?![=\s])|["'\]]*:)|[Xx]-[\w-]+["']?:)/;

function elementValue(text: string, start: number): Found | undefined {
  const end = text.slice(start, start + LONGEST_VALUE).search(/<|$/);
  if (!/^<\\?\//.test(text.slice(start + end, start + end + 3))) return undefined;
  return end < 1 ? undefined : { start, end: start + end, standing: 'quoted' };
}

/** A quote that was opened behind n backslashes is closed behind n; without its end it ends with its line. */
function endOfQuoted(text: string, start: number, quote: string, backslashes: number): number {
  const limit = Math.min(text.length, start + LONGEST_VALUE);
  let escapes = 0;
  for (let index = start; index < limit; index++) {
    const character = text.charAt(index);
    if (character === '\\') escapes++;
    else if (character === quote && (backslashes === 0 ? escapes % 2 === 0 : escapes <= backslashes)) {
      return index - (backslashes === 0 ? 0 : escapes);
    } else if (character === '\n' && quote !== '`') return index;
    else escapes = 0;
  }
  return limit;
}

const END_IN_QUERY = /[&#\\]|[)\]},;.]+$/;
const END_OF_BARE = /\\["'`nrt]|\\$|[,;](?=[A-Za-z_$][\w$]{0,40}[:=])|[)\]},;.]+$/;

function lengthOfBare(value: string, inQuery: boolean): number {
  const end = value.search(inQuery ? END_IN_QUERY : END_OF_BARE);
  return end === -1 ? value.length : end;
}

function matchAt(pattern: RegExp, text: string, index: number): RegExpExecArray | null {
  pattern.lastIndex = index;
  return pattern.exec(text);
}
