import { foldName } from './fold-name.ts';
import { KNOWN_MARKS } from './known-marks.ts';

/**
 * Stored text as a model may read it: tags of ours and of agents are written with ‹ and ›, so that they can be read
 * but open and close nothing. Everything else, such as `Array<string>`, `a < b` and HTML, stays as it is. The result
 * is never longer, so a budget in characters that held before holds after.
 */
export function neutralize(text: string, moreTags: readonly string[] = []): string {
  if (!SUSPICIOUS.test(text)) return text;
  const visible = withoutInvisible(text);
  return neutralizePhrases(neutralizeSpeakers(neutralizeTokens(neutralizeTags(visible, moreTags))));
}

/** Control characters, bidi overrides and characters without width: they hide text from people, or split a tag. */
function withoutInvisible(text: string): string {
  return text.replace(/\r\n?|[\v\f\u0085\u2028\u2029]/g, '\n').replace(INVISIBLE, '');
}

const INVISIBLE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
  /\u034f|[\0-\x08\x0e-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;

/*
 * No property classes (`\p{L}`) and no flag `i` beside `u` in what every hook runs: V8 takes milliseconds to compile
 * those. What a name may consist of is told by `foldName`, for the few names that are not plain.
 */
const OPENING = String.raw`(?:[<＜﹤ᐸ˂⟨〈〈❮❰]|\\{1,4}(?:[uU]\{?0{0,6}3[cC]\}?|[xX]3[cC]|0?74)|%(?:25){0,3}3[cC]|&(?:amp;){0,3}(?:[lL][tT]|#0{0,6}60|#[xX]0{0,6}3[cC]);?)`;
const CLOSING = String.raw`(?:[>＞﹥ᐳ˃⟩〉〉❯❱]|\\{1,4}(?:[uU]\{?0{0,6}3[eE]\}?|[xX]3[eE]|0?76)|%(?:25){0,3}3[eE]|&(?:amp;){0,3}(?:[gG][tT]|#0{0,6}62|#[xX]0{0,6}3[eE]);?)`;
const BETWEEN = String.raw`(?:[\s/\\／⁄∕\u0300-\u036f\u200c\u200d\ufe00-\ufe0f]|&sol;|&#0{0,4}47;|&#[xX]0{0,4}2[fF];|%2[fF]|\\[uU]002[fF])`;
const ESCAPED = String.raw`&#[xX]?[\da-fA-F]{1,7};?|\\{1,4}[uU]\{?[\da-fA-F]{4,6}\}?|\\{1,4}[xX][\da-fA-F]{2}|%[\da-fA-F]{2}`;
const NAME_PIECE = String.raw`(?!${OPENING}|${CLOSING})(?:[\w:.-]|[^\0-\x7f]|${ESCAPED})`;

/** Every opening begins with one of these; looking for them first is ten times as fast as the whole pattern. */
const FIRST_CHARACTER = /[<＜﹤ᐸ˂⟨〈〈❮❰\\%&]/g;
/** The same for plain characters, as nearly all are: hooks mostly need not compile the other pattern at all. */
const PLAIN_START = /(<)[\s/]{0,24}([\w:.-]{1,160})(?![\w:.\-&%\\\x80-\uffff])/y;
const NO_START = /<\s{0,24}[!-$'-,.;=?-@[\]-^`{-~]/y;
/** A tag from its opening character to the end of its name: spaces and slashes may stand between. */
const TAG_START = new RegExp(
  `(${OPENING})(?:(?!${OPENING})${BETWEEN}){0,24}((?:${NAME_PIECE}){1,160})`,
  'uy',
);
const ANY_OPENING = new RegExp(OPENING, 'u');
/** The rest of the tag: attributes on the same line. */
const REST_OF_TAG = new RegExp(String.raw`([^<>＜＞\n]{0,300}?)(${CLOSING})`, 'uy');

function neutralizeTags(text: string, moreTags: readonly string[]): string {
  let result = '';
  let copied = 0;
  for (const { index } of text.matchAll(FIRST_CHARACTER)) {
    if (index < copied) continue;
    if (matchAt(NO_START, text, index)) continue;
    const start = matchAt(PLAIN_START, text, index) ?? matchAt(TAG_START, text, index);
    const [found = '', opening = '', name = ''] = start ?? [];
    if (!start || !isControlTag(foldName(name), moreTags)) continue;
    const end = index + found.length;
    result += `${text.slice(copied, index)}‹${text.slice(index + opening.length, end)}`;
    copied = end;
    const [whole, attributes = ''] = matchAt(REST_OF_TAG, text, end) ?? [];
    if (whole === undefined || ANY_OPENING.test(attributes)) continue;
    result += `${attributes}›`;
    copied = end + whole.length;
  }
  return copied === 0 ? text : result + text.slice(copied);
}

function matchAt(sticky: RegExp, text: string, at: number): RegExpExecArray | null {
  sticky.lastIndex = at;
  return sticky.exec(text);
}

const EXACT = new Set(KNOWN_MARKS.tags.filter((tag) => !tag.endsWith('*')).map(foldName));
const PREFIXES = KNOWN_MARKS.tags.filter((tag) => tag.endsWith('*')).map(prefixOf);

/** The hyphen at its end belongs to it: `cairn-*` is not `cairns`. */
function prefixOf(tag: string): string {
  return tag.slice(0, -1).toLowerCase().replaceAll('_', '-');
}

function isControlTag(name: string, moreTags: readonly string[]): boolean {
  return EXACT.has(name) || moreTags.includes(name) || PREFIXES.some((prefix) => name.startsWith(prefix));
}

/** Special tokens of models: `<|im_start|>`, `<｜User｜>`. */
const TOKEN = new RegExp(String.raw`${OPENING}([|｜][^\s<>|｜]{1,40}[|｜])${CLOSING}`, 'gu');

function neutralizeTokens(text: string): string {
  return /[|｜]/.test(text) ? text.replace(TOKEN, '‹$1›') : text;
}

/** `Human:` at the start of a line begins a turn in older prompt formats. */
const SPEAKER = new RegExp(
  String.raw`(^|\\n)([^\S\n]*(?:${KNOWN_MARKS.speakers.flatMap((name) => [name, name.toUpperCase()]).join('|')})[^\S\n]*)[:：]`,
  'gm',
);

function neutralizeSpeakers(text: string): string {
  return text.replace(SPEAKER, '$1$2∶');
}

const PHRASE = new RegExp(`(?:${KNOWN_MARKS.phrases.map(escapeForRegExp).join('|')})`, 'gi');

function neutralizePhrases(text: string): string {
  return text.replace(PHRASE, (phrase) => `‹${phrase.slice(1)}`.replace(/[\]>]$/, '›'));
}

function escapeForRegExp(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

/** Without any of these there is nothing to do, which is so for most lines. */
const SUSPICIOUS = new RegExp(
  [
    /[<＜﹤ᐸ˂⟨〈〈❮❰\\%&[|｜]/.source,
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
    /[\0-\x08\v-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\udb40]/
      .source,
    '\\u034f',
    ...KNOWN_MARKS.speakers,
    ...KNOWN_MARKS.phrases.map(escapeForRegExp),
  ].join('|'),
  'i',
);
