/** Shorter words are alike by accident. */
const SHORTEST = 5;
/** An ending that a form of the same word may have on top. */
const LONGEST_ENDING = 3;

/** Words of Latin script have many false friends, such as produit and product; those of Cyrillic have longer endings. */
const LATIN_SHARE = 0.75;
const OTHER_SHARE = 0.6;

/** Digits and code have no forms, nor have words of few letters. */
export function hasForms(term: string): boolean {
  return (
    term.length >= SHORTEST &&
    (/^[a-z]+$/.test(term) || (!/^[\0-\x7f]+$/.test(term) && /^\p{L}+$/u.test(term)))
  );
}

/**
 * Whether an indexed word is a form of this one: another ending, or one is a part of the other as in German compounds.
 * For languages that the stemmer does not know.
 */
export function isNearForm(term: string, token: string): boolean {
  if (term.length < SHORTEST || token.length < SHORTEST || term === token) return false;
  const [short, long] = term.length <= token.length ? [term, token] : [token, term];
  // Most pairs differ in their first letters, and few words end like another one.
  if (short.charCodeAt(0) !== long.charCodeAt(0) || short.charCodeAt(2) !== long.charCodeAt(2))
    return short.length > SHORTEST && long.endsWith(short) && hasForms(token);
  let shared = 0;
  while (shared < short.length && short.charCodeAt(shared) === long.charCodeAt(shared)) shared++;
  if (!hasForms(token)) return false;
  if (shared === short.length) return long.length - shared <= LONGEST_ENDING || shared > SHORTEST;
  const least = /^[\0-\x7f]/.test(term) ? LATIN_SHARE : OTHER_SHARE;
  return shared >= SHORTEST - 1 && shared >= long.length - LONGEST_ENDING && shared >= long.length * least;
}
