import { type Connector, matchAt, type Name } from './connectors.ts';
import type { ValuePosition } from './secret-values.ts';

/** A text being searched, and where the last bare value ended. */
export interface Source {
  text: string;
  ends: Map<RegExp, { from: number; end: number }>;
}

export interface FoundValue {
  start: number;
  end: number;
  position: ValuePosition;
  /** The connection is weak, so the value must look random. */
  random?: boolean;
  /** The connection is even weaker, so the value must not consist of words either. */
  opaque?: boolean;
}

const LONGEST_VALUE = 65_536;
const LONGEST_ELEMENT = 8192;
const OPENING_QUOTE = /(?:[A-Za-z]{1,2}|\$|@)?(\\{0,16})(["'`])(?:\1\2\1\2)?/y;

const ESCAPED_NEWLINE = /\\{1,8}[rn]/y;

/** The position of the value and how it is connected to its name. */
export function findValueAfter(source: Source, name: Name, tie: Connector): FoundValue | undefined {
  const { text } = source;
  const before = text.slice(Math.max(0, name.start - 60), name.start);
  switch (tie.type) {
    case 'option':
      return optionValue(source, tie);
    case 'list':
      return listValue(text, before, name, tie);
    case 'element':
      return elementValue(text, before, tie);
    case 'field':
      return quotedValue(text, tie.end, 'quoted') ?? bareValue(source, tie.end, 'line');
    case 'cell':
      return cellValue(source, tie);
    case 'next':
      return nextElementValue(text, before, tie);
    case 'call':
      return argumentValue(text, before, name, tie);
    case 'encoded':
      return encodedValue(source, tie);
    case 'space':
      return spacedValue(source, before, name, tie);
    case 'sign':
      return signedValue(source, before, name, tie);
  }
}

function quotedValue(text: string, start: number, position: ValuePosition): FoundValue | undefined {
  const quote = matchAt(OPENING_QUOTE, text, start);
  if (quote === null) return undefined;
  const valueStart = start + quote[0].length;
  // It was a closing quote: `expect "Password:"` at the end of a line.
  if (matchAt(ESCAPED_NEWLINE, text, valueStart) !== null) return undefined;
  const end = endOfQuoted(text, valueStart, quote[2] ?? '"', quote[1]?.length ?? 0);
  return { start: valueStart, end, position };
}

function bareValue(
  source: Source,
  start: number,
  position: ValuePosition,
  inQuery = false,
): FoundValue | undefined {
  const end = endOfBare(source, start, inQuery);
  return end === start ? undefined : { start, end, position };
}

function optionValue(source: Source, tie: Connector): FoundValue | undefined {
  const { text } = source;
  const quoted = quotedValue(text, tie.end, 'literal');
  if (quoted !== undefined) return quoted;
  if (/["'`]/.test(tie.text) || text.startsWith('-', tie.end)) return undefined;
  return bareValue(source, tie.end, 'literal');
}

/** `set('apiKey', '…')` is a pair, `['apiKey', 'token']` a list of names. */
const FIRST_ARGUMENT = /\(\s*\\*["'`](?:[\w-]{1,40}[.:/]){0,6}$/;

function listValue(text: string, before: string, name: Name, tie: Connector): FoundValue | undefined {
  return FIRST_ARGUMENT.test(before) && name.end > name.start
    ? quotedValue(text, tie.end, 'quoted')
    : undefined;
}

const ATTRIBUTE_NAME = /(?:name|key|id|property)=\\{0,4}["']$/i;

function elementValue(text: string, before: string, tie: Connector): FoundValue | undefined {
  const opened =
    before.endsWith('<') ||
    before.endsWith('<key>') ||
    /<\w{1,30}:$/.test(before) ||
    ATTRIBUTE_NAME.test(before);
  if (!opened) return undefined;
  const end = tie.end + text.slice(tie.end, tie.end + LONGEST_ELEMENT).indexOf('<');
  if (end <= tie.end || !/^<\\?\//.test(text.slice(end, end + 3))) return undefined;
  return { start: tie.end, end, position: 'quoted' };
}

const IN_ELEMENT = />[\w ]{0,40}$/;

/** Column names are in elements too, so the value must look random. */
function nextElementValue(text: string, before: string, tie: Connector): FoundValue | undefined {
  if (!IN_ELEMENT.test(before)) return undefined;
  const end = tie.end + text.slice(tie.end, tie.end + LONGEST_ELEMENT).indexOf('<');
  return end <= tie.end ? undefined : { start: tie.end, end, position: 'quoted', random: true };
}

/** `setPassword('…')` and `.apiKey('…')` get a secret, `getSecret('…')` gets a name. */
function argumentValue(text: string, before: string, name: Name, tie: Connector): FoundValue | undefined {
  const isSetter = /^(?:set|with)[_A-Z]/.test(name.text) || before.endsWith('.');
  const value =
    isSetter && !/^(?:get|find|read|load)/.test(name.text) ? quotedValue(text, tie.end, 'quoted') : undefined;
  return value && { ...value, random: true };
}

const CELL_END = /[ \t]*[`*]{0,2}[ \t]*(?:[|│┃]|\r?\n|\\{1,8}[rn]|\\{0,8}["']|$)/y;

/** A cell that holds one word. */
function cellValue(source: Source, tie: Connector): FoundValue | undefined {
  const { text } = source;
  const start = text.charAt(tie.end) === '`' ? tie.end + 1 : tie.end;
  const end = endOfBare(source, start, false);
  return end > start && matchAt(CELL_END, text, end) !== null ? { start, end, position: 'bare' } : undefined;
}

const END_OF_ENCODED = /%(?:25)?(?:22|26|27|0[AaDd]|7[Dd]|2[Cc])|&(?:quot|amp|#34|#39|#x22);?|[\s"'`<>&\\]/g;

function encodedValue(source: Source, tie: Connector): FoundValue | undefined {
  const end = nextHit(source, END_OF_ENCODED, tie.end);
  return end === tie.end ? undefined : { start: tie.end, end, position: 'literal' };
}

/** Before `NAME value`, these make it an assignment: `ENV`, `setenv`, `set -gx`, `aws configure set`. */
const DIRECTIVE =
  /(?:^|[\s;&|"'`(>+]|\\n)(?:ENV|ARG|LABEL|setenv|SetEnv|setx|setvar|env|fastcgi_param|uwsgi_param|proxy_set_header|add_header|set(?:\s+-{1,2}[\w-]+){1,4}|set|(?:config(?:ure|uration)?|conf|secrets?|env|variables?|vars?|parameters?|settings?|auth)(?::|\s+)(?:set|add|put|create|--global|--local|--system|--add)|login\s+\S{1,80}|user\s+\S{1,80})(?:\s+-{1,2}[\w-]+(?:[= ][\w./:-]+)?){0,3}\s+(?:[\w./:-]{1,60}[.:/])?["']?$/;
const UPPER_NAME = /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/;
const NETRC = /(?:^|\s)(?:login|user|account)\s+\S{1,100}\s+$|^\s*$|(?:\n|\\n)[ \t+-]*$/;

function spacedValue(source: Source, before: string, name: Name, tie: Connector): FoundValue | undefined {
  const { text } = source;
  const quoted = quotedValue(text, tie.end, 'quoted');
  const isDirective = DIRECTIVE.test(before);
  if (quoted !== undefined) {
    if (/^[A-Z]+(?:_[A-Z]+)*$/.test(name.text) || isDirective) return { ...quoted, position: 'literal' };
    return { ...quoted, random: true };
  }
  const bare = bareValue(source, tie.end, isDirective ? 'literal' : 'line');
  if (bare === undefined || isDirective) return bare;
  if (
    /^pass(?:word|wd)?$|^(?:require|master)(?:pass|auth)$/.test(name.text) &&
    NETRC.test(before) &&
    endsLine(text, bare.end)
  )
    return { ...bare, position: 'literal' };
  return { ...bare, random: true, position: UPPER_NAME.test(name.text) ? 'literal' : 'line' };
}

/** `FOO_TOKEN=…`, `FOO_TOKEN: …`, `X-Api-Key: …`, but not `const FOO_TOKEN = …`. */
const LITERAL_LINE = /^(?:[A-Z][A-Z0-9_]*(?:[?+]?=(?![=\s])|["'\]]*:)|[Xx]-[\w-]+["']?:)/;

function signedValue(source: Source, before: string, name: Name, tie: Connector): FoundValue | undefined {
  const { text } = source;
  // In a shell, `:?` is followed by a message, not a value.
  if (before.endsWith('${') && text.startsWith(':?', name.end)) return undefined;
  const block = blockValue(text, tie);
  if (block !== undefined) return block;
  const word = WORD_TIE.exec(tie.text)?.[1] ?? '';
  const inQuery = /[?&]$/.test(before) || /&amp;$/.test(before);
  const literal = inQuery || /(?:^|\s)-D[\w.]*$/.test(before) || LITERAL_LINE.test(name.text + tie.text);
  const quoted = quotedValue(text, tie.end, literal && !tie.text.includes(':') ? 'literal' : 'quoted');
  if (quoted !== undefined) return word === 'to' ? { ...quoted, random: true, opaque: true } : quoted;
  if (tie.text.includes('\n')) return undefined;
  const bare = bareValue(source, tie.end, literal ? 'literal' : 'bare', inQuery);
  if (bare === undefined || literal) return bare;
  if (word !== '') return { ...bare, random: true, opaque: word === 'to', position: 'line' };
  return isSettingsLine(text, before, tie, bare.end) ? { ...bare, position: 'line' } : bare;
}

const WORD_TIE = /^[ \t]*[^\s\w]{0,3}[ \t\u00a0]([a-zßá]{2,8})[ \t\u00a0:]/;
const BLOCK =
  /[|>][+\-\d]{0,2}[ \t]{0,9}(?:\r?\n|\\{1,8}n)([+\-> \t]{1,40})([^\s"'`\\]{3,4000})(?=\r?\n|\\{1,8}[rn"]|["']|$)/y;

const HEREDOC =
  /<<[~-]?\\{0,8}["']?[A-Z]\w{0,20}\\{0,8}["']?[ \t]{0,9}(?:\r?\n|\\{1,8}n)([+\- \t]{0,40})([^\s"'`\\]{3,4000})(?=\r?\n|\\{1,8}[rn"]|["']|$)/y;

/** The first line of a block in YAML, `client_secret: |`, or of a here document, and the value below. */
function blockValue(text: string, tie: Connector): FoundValue | undefined {
  const block = matchAt(tie.text.includes(':') ? BLOCK : HEREDOC, text, tie.end);
  if (block === null) return undefined;
  const end = tie.end + block[0].length;
  return { start: end - (block[2] ?? '').length, end, position: 'quoted' };
}

/** Only the start of a line, its number or diff mark, and a prefix that a setting's name may have. */
const LINE_START =
  /(?:^|[\r\n"'`]|\\[nr])[+\-> \t]{0,20}(?:\d{1,6}[\t:|→ ]{1,4})?[ \t]{0,40}(?:[-*][ \t]+)?(?:\*\*)?(?:export |declare -x |local |-D|set )?(?:[\w-]{1,40}[./:]){0,6}$/;
/** A preceding pair: `host=db user=app password=…`, `Server=db;Pwd=…`. */
const PAIR_BEFORE = /(?:^|[\s;"'`])[\w .-]{1,30}=[^\s;=()[\]{}]{1,60}(?:;\s?| )$/;
const CODE_LINE =
  /[,;{([]\s*$|=>|\b(?:const|let|var|def|return|function|interface|class|type|struct|import|public)\b/;

/** A whole line of settings, as in YAML or an INI file, and not a field among others in code. */
function isSettingsLine(text: string, before: string, tie: Connector, end: number): boolean {
  if (!tie.text.includes(':') && PAIR_BEFORE.test(before)) return true;
  if (!endsLine(text, end)) return false;
  if (!LINE_START.test(before)) return tie.text.includes(':') && isProseBefore(before);
  const lines = text.slice(Math.max(0, end - 400), end).split(/\r?\n|\\n/);
  return !CODE_LINE.test(lines.at(-2) ?? '') && !/^[+\-\s\d:|→]{0,12}[})\]]/.test(lineAfter(text, end));
}

/** `the database password: …`: words and nothing else on the line before the name. */
function isProseBefore(before: string): boolean {
  return /(?:^|[\r\n"'`]|\\[nr])[^\r\n"'`(){}=;<>]{0,60}[a-z] $/i.test(before) && !CODE_LINE.test(before);
}

function endsLine(text: string, end: number): boolean {
  return /^[ \t]{0,40}(?:#[^\n]{0,200})?(?:\r?\n|\\{1,8}[rn]|\\{0,8}["'`]|$)/.test(
    text.slice(end, end + 260),
  );
}

function lineAfter(text: string, end: number): string {
  return text.slice(end, end + 200).split(/\r?\n|\\{1,8}n/)[1] ?? '';
}

/** A quote opened after n backslashes is closed after n; an unclosed one ends with its line. */
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

const END_OF_WORD = /[\s"'`]|\\["'`nrt]|[,;](?=[A-Za-z_$][\w$]{0,40}[:=])/g;
const END_IN_QUERY = /[\s"'`&#\\]/g;
/** The most punctuation after a value that is taken for the sentence or the code around it. */
const MOST_PUNCTUATION = 16;

function endOfBare(source: Source, start: number, inQuery: boolean): number {
  let end = nextHit(source, inQuery ? END_IN_QUERY : END_OF_WORD, start);
  const limit = Math.max(start, end - MOST_PUNCTUATION);
  while (end > limit && /[)\]},;.\\]/.test(source.text.charAt(end - 1))) end--;
  return end;
}

/**
 * The next match of the pattern. The last result is cached: in one long word full of names, each name would otherwise
 * search the whole rest.
 */
function nextHit({ text, ends }: Source, pattern: RegExp, from: number): number {
  const last = ends.get(pattern);
  if (last !== undefined && last.from <= from && from <= last.end) return last.end;
  pattern.lastIndex = from;
  const end = pattern.exec(text)?.index ?? text.length;
  ends.set(pattern, { from, end });
  return end;
}
