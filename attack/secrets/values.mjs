const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const UPPER = LOWER.toUpperCase();
const DIGITS = '0123456789';
const ALPHABETS = {
  hex: `${DIGITS}abcdef`,
  digits: DIGITS,
  lower: LOWER + DIGITS,
  upper: UPPER + DIGITS,
  word: LOWER + UPPER + DIGITS,
  url: `${LOWER}${UPPER}${DIGITS}-_`,
  base64: `${LOWER}${UPPER}${DIGITS}+/`,
  password: `${LOWER}${UPPER}${DIGITS}!#%^*+=_-`,
};

/** A random value for a spec such as `word:36`. It begins with a letter and has a digit, like nearly all real ones. */
export function createValue(random, spec) {
  const [alphabet, length] = spec.split(':');
  const size = Number(length);
  if (alphabet === 'digits' || alphabet === 'hex') return random.text(ALPHABETS[alphabet], size);
  const letter = alphabet === 'upper' ? random.text(UPPER, 1) : random.text(LOWER, 1);
  return `${letter}${random.text(ALPHABETS[alphabet], size - 3)}${random.text(DIGITS, 1)}${alphabet === 'upper' ? 'Q' : 'q'}`;
}
