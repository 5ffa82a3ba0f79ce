import { foldName } from './fold-name.ts';
import { KNOWN_MARKS } from './known-marks.ts';

/**
 * Patterns that every hook runs use neither property classes (`\p{L}`) nor the flags `iu`: V8 takes milliseconds to
 * compile those. `foldName` handles the few names that are not plain.
 */
export const OPENING = String.raw`(?:[<＜﹤ᐸ˂⟨〈〈❮❰]|\\{1,4}(?:[uU]\{?0{0,6}3[cC]\}?|[xX]3[cC]|0?74)|%(?:25){0,3}3[cC]|&(?:amp;){0,3}(?:[lL][tT]|#0{0,6}60|#[xX]0{0,6}3[cC]);?)`;
export const CLOSING = String.raw`(?:[>＞﹥ᐳ˃⟩〉〉❯❱]|\\{1,4}(?:[uU]\{?0{0,6}3[eE]\}?|[xX]3[eE]|0?76)|%(?:25){0,3}3[eE]|&(?:amp;){0,3}(?:[gG][tT]|#0{0,6}62|#[xX]0{0,6}3[eE]);?)`;
const BETWEEN = String.raw`(?:[\s/\\／⁄∕\u0300-\u036f\u200c\u200d\ufe00-\ufe0f]|&sol;|&#0{0,4}47;|&#[xX]0{0,4}2[fF];|%2[fF]|\\[uU]002[fF])`;
const ESCAPED = String.raw`&#[xX]?[\da-fA-F]{1,7};?|\\{1,4}[uU]\{?[\da-fA-F]{4,6}\}?|\\{1,4}[xX][\da-fA-F]{2}|%[\da-fA-F]{2}`;

/** Every opening starts with one of these. Searching for them first is ten times as fast. */
const FIRST_CHARACTER = /[<＜﹤ᐸ˂⟨〈〈❮❰\\%&]/g;
/** A tag in plain characters. Most hooks need not compile the general pattern. */
const PLAIN_START = /(<)[\s/]{0,24}([\w:.-]{1,160})(?![\w:.\-&%\\\x80-\uffff])/y;
/** Rules out a tag by its first characters. */
const NO_START = /<\s{0,24}[!-$'-,.;=?-@[\]-^`{-~]|\\(?![\\uUxX07])|%(?![23])|&(?![aAlL#])/y;

/** Compiled on demand, because compiling takes milliseconds. */
let patterns: ReturnType<typeof createPatterns> | undefined;

function createPatterns() {
  const namePiece = String.raw`(?!${OPENING}|${CLOSING})(?:[\w:.-]|[^\0-\x7f]|${ESCAPED})`;
  return {
    /** A tag from its opening character to the end of its name, with optional spaces and slashes. */
    start: new RegExp(`(${OPENING})(?:(?!${OPENING})${BETWEEN}){0,24}((?:${namePiece}){1,160})`, 'uy'),
    opening: new RegExp(OPENING, 'u'),
    /** The rest of the tag: attributes on the same line. */
    rest: new RegExp(String.raw`([^<>＜＞\n]{0,300}?)(${CLOSING})`, 'uy'),
  };
}

/** Replaces the brackets of Cairn's and the agents' tags by ‹ and ›. */
export function neutralizeTags(text: string, moreTags: readonly string[]): string {
  let result = '';
  let copied = 0;
  for (const { index } of text.matchAll(FIRST_CHARACTER)) {
    if (index < copied || matchAt(NO_START, text, index)) continue;
    const plain = matchAt(PLAIN_START, text, index);
    patterns ??= plain ? undefined : createPatterns();
    const start = plain ?? (patterns && matchAt(patterns.start, text, index));
    const [found = '', opening = '', name = ''] = start ?? [];
    // An escape may be part of the name or only follow it: `<command-name\xca…`.
    const [plainName = ''] = name.split(/[\\&%]/);
    if (!start || ![name, plainName].some((each) => isControlTag(foldName(each), moreTags))) continue;
    patterns ??= createPatterns();
    const end = index + found.length;
    result += `${text.slice(copied, index)}‹${text.slice(index + opening.length, end)}`;
    copied = end;
    const [whole, attributes = ''] = matchAt(patterns.rest, text, end) ?? [];
    if (whole === undefined || patterns.opening.test(attributes)) continue;
    result += `${attributes}›`;
    copied = end + whole.length;
  }
  return copied === 0 ? text : result + text.slice(copied);
}

function matchAt(sticky: RegExp, text: string, at: number): RegExpExecArray | null {
  sticky.lastIndex = at;
  return sticky.exec(text);
}

let known: { names: Set<string>; prefixes: string[] } | undefined;

function isControlTag(name: string, moreTags: readonly string[]): boolean {
  known ??= {
    names: new Set(KNOWN_MARKS.tags.filter((tag) => !tag.endsWith('*')).map(foldName)),
    prefixes: KNOWN_MARKS.tags.filter((tag) => tag.endsWith('*')).map(prefixOf),
  };
  return (
    known.names.has(name) ||
    moreTags.includes(name) ||
    known.prefixes.some((prefix) => name.startsWith(prefix))
  );
}

/** The trailing hyphen belongs to the name: `cairn-*` does not match `cairns`. */
function prefixOf(tag: string): string {
  return tag.slice(0, -1).toLowerCase().replaceAll('_', '-');
}
