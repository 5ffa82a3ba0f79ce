import { type Random, randomFrom } from '../random.ts';

/** Draws the random parts of secrets and of texts that look like them. */
export interface Draw {
  random: Random;
  from(alphabet: string, length: number): string;
  /** Letters and digits. */
  mixed(length: number): string;
  letters(length: number): string;
  lower(length: number): string;
  upper(length: number): string;
  hex(length: number): string;
  digits(length: number): string;
  /** As in file names and URLs: letters, digits, `-` and `_`. */
  safe(length: number): string;
  base64(length: number): string;
  uuid(): string;
  /** Like one from a person or a password manager: at least ten letters and digits, often a sign. */
  password(): string;
  words(count: number): string[];
}

const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const UPPER = LOWER.toUpperCase();
const DIGITS = '0123456789';
const WORDS =
  'abandon ability able absent acid across actor adapt album anchor apple april arena armor artist asset bacon badge bamboo banner beach below bicycle blanket bottle bridge bronze cabin cactus camera candy canvas castle cereal chair cherry circle clock cloud coconut copper cotton crystal dance desert diamond dolphin dragon eagle earth elbow engine fabric falcon fence forest garden ginger'.split(
    ' ',
  );

export function drawFrom(seed: number): Draw {
  const random = randomFrom(seed);
  const from = (alphabet: string, length: number) =>
    Array.from({ length }, () => alphabet.charAt(random.below(alphabet.length))).join('');
  const draw: Draw = {
    random,
    from,
    mixed: (length) => from(LOWER + UPPER + DIGITS, length),
    letters: (length) => from(LOWER + UPPER, length),
    lower: (length) => from(LOWER + DIGITS, length),
    upper: (length) => from(UPPER + DIGITS, length),
    hex: (length) => from('0123456789abcdef', length),
    digits: (length) => from(DIGITS, length),
    safe: (length) => from(`${LOWER}${UPPER}${DIGITS}-_`, length),
    base64: (length) => from(`${LOWER}${UPPER}${DIGITS}+/`, length),
    uuid: () => [8, 4, 4, 4, 12].map((length) => draw.hex(length)).join('-'),
    password: () => {
      const plain = draw.mixed(9 + random.below(8)) + draw.digits(1);
      if (random.chance(0.5)) return plain;
      const at = 1 + random.below(plain.length - 1);
      return plain.slice(0, at) + from('!@#%^*~+=?', 1) + plain.slice(at);
    },
    words: (count) => Array.from({ length: count }, () => WORDS[random.below(WORDS.length)] ?? 'able'),
  };
  return draw;
}
