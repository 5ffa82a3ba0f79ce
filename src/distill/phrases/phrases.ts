/** The codes of ISO 639-1. */
type Language =
  | ('en' | 'de' | 'fr' | 'es' | 'pt' | 'it' | 'nl' | 'sv' | 'da' | 'no')
  | ('pl' | 'cs' | 'ru' | 'uk' | 'tr' | 'ar' | 'fa' | 'he' | 'hi' | 'vi' | 'id')
  | ('zh' | 'ja' | 'ko');

/** They write no spaces between words, or attach endings to them: their phrases are found anywhere in a text. */
const UNSPACED = new Set(['zh', 'ja', 'ko']);

/**
 * What is said in each language, as the alternatives of a regular expression: `weil|so ?dass|trotz\\p{L}*`; an array has
 * several lines of them. A phrase that two languages share is listed under both. Chinese is in simplified characters.
 */
export type Phrases = Partial<Record<Language, string | readonly string[]>>;

/** All phrases as one alternation, for a pattern that has other parts too. */
export function anyOf(phrases: Phrases): string {
  return [...listSpaced(phrases), ...listUnspaced(phrases)].join('|');
}

/** The phrases of the languages with spaces between words. */
export function listSpaced(phrases: Phrases): string[] {
  return listPhrases(phrases, (language) => !UNSPACED.has(language));
}

export function listUnspaced(phrases: Phrases): string[] {
  return listPhrases(phrases, (language) => UNSPACED.has(language));
}

function listPhrases(phrases: Phrases, isListed: (language: string) => boolean): string[] {
  const listed = Object.entries(phrases).filter(([language]) => isListed(language));
  return [...new Set(listed.flatMap(([, own]) => own).flatMap(splitAlternatives))];
}

/** The alternatives of a pattern at its top level. */
function splitAlternatives(pattern: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at < pattern.length; at++) {
    const char = pattern[at];
    if (char === '\\') at++;
    else if (char === '(') depth++;
    else if (char === ')') depth--;
    else if (char === '|' && depth === 0) {
      parts.push(pattern.slice(start, at));
      start = at + 1;
    }
  }
  parts.push(pattern.slice(start));
  return parts;
}
