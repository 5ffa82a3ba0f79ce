import { fold } from './fold.ts';
import { LONGEST_COPIED_SLICE, stem } from './stem.ts';

interface Forms {
  /** A run without spaces, or letters and digits with the characters that join them in code, paths and versions. */
  chunk: RegExp;
  run: RegExp | null;
  part: RegExp;
  /** Where a capital begins a word; the plural of an abbreviation (`JWTs`) is one word. */
  hump: RegExp;
  plain: RegExp;
  /** Characters that are removed from the form of a whole word. */
  others: RegExp;
}

/** Used for most texts and nearly all code: classes of all scripts take too long to compile for a hook. */
const LATIN: Forms = {
  chunk: /[@#]?\w+(?:(?:[-./\\:@#]{1,3}|['’])\w+)*(?:\+\+|#(?!\w))?/g,
  run: null,
  part: /[A-Za-z0-9]+/g,
  hump: /(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z](?!s(?![a-z]))[a-z])/,
  plain: /^[A-Za-z]?[a-z]*$|^[A-Z]{2,}s?$|^[0-9]+$/,
  others: /[^A-Za-z0-9@#/.:+]+/g,
};

let everyScript: Forms | undefined;

function formsOfEveryScript(): Forms {
  // Scripts without spaces, or with words too long to search as a whole.
  const unspaced =
    '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}' +
    '\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}ー々〆';
  const word = '[\\p{L}\\p{N}\\p{M}_]';
  everyScript ??= {
    chunk: new RegExp(
      `[${unspaced}]+|[@#]?(?:(?![${unspaced}])${word})+(?:(?:[-./\\\\:@#]{1,3}|['’])(?:(?![${unspaced}])${word})+)*(?:\\+\\+|#(?!${word}))?`,
      'gu',
    ),
    run: new RegExp(`^[${unspaced}]`, 'u'),
    part: /[\p{L}\p{N}\p{M}]+/gu,
    hump: /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}(?!s(?!\p{Ll}))\p{Ll})/u,
    plain: /^\p{L}?[\p{Ll}\p{Lo}\p{M}]*$|^\p{Lu}{2,}s?$|^\p{N}+$/u,
    others: /[^\p{L}\p{N}\p{M}@#/.:+]+/gu,
  };
  return everyScript;
}

/** ASCII, dashes, quotation marks, dots, arrows, mathematical and box-drawing characters. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII.
const NO_OTHER_LETTERS = /^[\x00-\x7f\u2010-\u2027\u2190-\u23ff\u2500-\u26ff]*$/;

function formsOf(text: string): Forms {
  return NO_OTHER_LETTERS.test(text) ? LATIN : formsOfEveryScript();
}

/** The size of the cache: most words of a text were seen before. */
const KEPT = 50_000;
const plainWords = new Map<string, string>();

const VERSION = /^v?\d+(?:\.\d+)+$/i;
const LONGEST = 64;
/** Longer runs are not names, but encoded data. */
const LONGEST_WRITTEN = 300;

/**
 * The words of a text for index and query: folded, stemmed, in order. Compound words (camelCase, snake_case, paths,
 * packages, versions, #123) give the whole and the parts; scripts without spaces give single characters and pairs.
 */
export function tokenise(text: string): string[] {
  if (text === '') return [];
  const tokens: string[] = [];
  const ordinary = text.normalize('NFKC');
  const forms = formsOf(ordinary);
  for (const chunk of ordinary.match(forms.chunk) ?? []) {
    if (forms.run?.test(chunk)) addRun(chunk, tokens);
    else addChunk(chunk, forms, tokens);
  }
  return tokens;
}

/** The token under which a whole path is indexed. */
export function pathToken(path: string): string {
  return wholeFormsOf(path)[0] ?? '';
}

/** 日本語 → 日 日本 本 本語 語 */
function addRun(run: string, tokens: string[]): void {
  const characters = [...run];
  for (const [index, character] of characters.entries()) {
    tokens.push(character);
    const next = characters[index + 1];
    if (next !== undefined) tokens.push(character + next);
  }
}

function addChunk(chunk: string, forms: Forms, tokens: string[]): void {
  const known = plainWords.get(chunk);
  if (known !== undefined) {
    if (known !== '') tokens.push(known);
    return;
  }
  const word = withoutEnding(chunk);
  if (forms.plain.test(word)) {
    const token = tokenOf(word);
    if (chunk.length <= LONGEST_COPIED_SLICE) {
      if (plainWords.size >= KEPT) plainWords.clear();
      plainWords.set(chunk, token);
    }
    if (token !== '') tokens.push(token);
    return;
  }
  const parts = VERSION.test(word) ? [] : partsOf(word, forms);
  if (word.length <= LONGEST_WRITTEN)
    for (const whole of new Set([...wholeFormsOf(word), ...namesIn(word, forms)]))
      if (!parts.includes(whole)) tokens.push(whole);
  for (const part of parts) tokens.push(part);
}

function partsOf(word: string, forms: Forms): string[] {
  const parts = (word.match(forms.part) ?? []).flatMap((part) => part.split(forms.hump));
  return parts.map(tokenOf).filter((token) => token !== '');
}

const JOINED = /[./\\:@#]/;

/** The parts of a path, a call or a qualified name are also found alone: `getUser` of `api.getUser`. */
function namesIn(word: string, forms: Forms): string[] {
  if (!JOINED.test(word) || VERSION.test(word)) return [];
  const whole = nameWithDot(word);
  const names = word.split(JOINED).filter((name) => name !== '' && !forms.plain.test(name));
  return [...whole, ...names.map((name) => tokenOf(name.replace(/[-_]+/g, '')))].filter(
    (token) => token !== '',
  );
}

/** Next.js is also written NextJS and nextjs. */
function nameWithDot(word: string): string[] {
  const name = /^([A-Za-z][A-Za-z0-9]*)\.(js|io|net)$/i.exec(word);
  return name ? [tokenOf(`${name[1]}${name[2]}`)] : [];
}

/** Empty for a lone accent or a word that is too long. */
function tokenOf(word: string): string {
  const folded = fold(word);
  return folded.length <= LONGEST ? stem(folded) : '';
}

/** Caroline's → Caroline, we're → we, don't → dont */
function withoutEnding(chunk: string): string {
  if (!/['’]/.test(chunk)) return chunk;
  return chunk.replace(/['’](?:s|ll|re|ve|d|m)$/i, '').replace(/['’]/g, '');
}

/** The forms of the whole name. Case and `-` or `_` between the words do not matter. */
function wholeFormsOf(word: string): string[] {
  const whole = fold(word)
    .replace(/\\/g, '/')
    .replace(/::+/g, ':')
    .replace(/[-_]+/g, '')
    .replace(formsOf(word).others, '')
    .replace(/^[./:]+|[./:@]+$/g, '');
  const forms = [whole];
  if (VERSION.test(whole)) {
    const [major = '', minor = ''] = whole.replace('v', '').split('.');
    forms.push(whole.replace('v', ''), `${major}.${minor}`, major);
  }
  const segments = whole.split('/').filter((segment) => segment !== '');
  if (segments.length > 2) forms.push(segments.slice(-2).join('/'));
  if (segments.length > 1) forms.push(segments.at(-1) ?? '');
  if (/^#\d+$/.test(whole)) forms.push(whole.slice(1));
  if (/^[0-9a-f]{40}$/.test(whole)) forms.push(whole.slice(0, 7));
  return [...new Set(forms.map(stem))].filter((form) => form !== '' && form.length <= LONGEST);
}
