/** Word boundaries: `getApiKey`, `HTTPServer`, `db_password`. */
const BETWEEN_WORDS = /[^A-Za-z]+|(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/;
const WORD =
  /^(?=.*[aeiouy])(?!.*[^aeiouy]{6})(?!.*[aeiou]{5})|^(?:https?|html|xhtml|ctrl|mgmt|grpc|dhcp|smtp|gprs|xmpp)$/i;

/** The letter pairs that make up nine tenths of English words and names in code. */
const COMMON_PAIRS = new Set(
  (
    'th he in er an re nd at on nt ha es st en ed to it ou ea hi is or ti as te et ng of al de se le sa si ar ve ' +
    'ra ld ur ro ri me ne li io ic ce co el la ta us ma om ll ch ca il ho ly pe tr di no be un ec na so em pr ss ' +
    'ie ac po su wi ai op mo ow id ut ge ke ck ay ad wo we rs if ot am ee ig fo im ct ul ir bl sh ab ap ag ex tu ' +
    'fi gh uc ev ks bu ps up av pa qu ru do fe mi sp sc rt lo ns ty oo ei ok ey ry pl rd rm vi da ob iv og ue cl ' +
    'cr os wa ms ep ba br fr gr cu ub au xt ft mp nc ov ol od sw ze ph hu'
  ).split(' '),
);

/**
 * Whether a text consists of words, like a name or a label, rather than random letters. Words have vowels and common
 * letter pairs, few are very short, and the case changes only between words.
 */
export function looksLikeWords(value: string): boolean {
  const parts = value.split(BETWEEN_WORDS).filter((part) => part !== '');
  if (parts.length === 0) return false;
  let letters = 0;
  let pairs = 0;
  let common = 0;
  for (const part of parts) {
    letters += part.length;
    if (part.length > 3 && !WORD.test(part)) return false;
    const lower = part.toLowerCase();
    for (let index = 1; index < lower.length; index++) {
      pairs++;
      if (COMMON_PAIRS.has(lower.slice(index - 1, index + 1))) common++;
    }
  }
  if (parts.length > 1 && letters < parts.length * 3) return false;
  return pairs < 5 || common * 10 >= pairs * 6;
}

/** Mixed case that does not follow word boundaries: `dXNlcjpwYXNz`. */
export function isScrambled(value: string): boolean {
  return value.length >= 8 && /[a-z]/.test(value) && /[A-Z]/.test(value) && !looksLikeWords(value);
}

/** Whether this is a path. Base64 may also begin with a slash, but its parts are not names. */
export function isPath(value: string): boolean {
  if (/^(?:~|\.{1,2})\/|^[A-Za-z]:[\\/]|^\\\\\w/.test(value)) return true;
  if (!value.startsWith('/') || /[+=]/.test(value.slice(0, 256))) return false;
  let nameLike = 0;
  for (const part of value.slice(0, 256).split('/')) {
    if (part.length <= 3 || /^\d+$/.test(part) || (looksLikeWords(part) && !/\d[A-Za-z]+\d/.test(part)))
      nameLike += part.length;
  }
  return nameLike * 2 >= Math.min(value.length, 256) - 1;
}
