// What the questions made by rule are made of.

const DULL = new Set(
  'the a an and or to of in on for with from is are be it this that not no by as at when if into use using add fix make we so can should now also all was were has have will only new more than'.split(
    ' ',
  ),
);

/** The words of a text that tell something, each once. */
export function wordsOf(text) {
  const words = text.match(/[\p{L}\p{N}][\p{L}\p{N}_./@-]*[\p{L}\p{N}]/gu) ?? [];
  return [...new Set(words)].filter((word) => word.length < 40 && !DULL.has(word.toLowerCase()));
}

/** As people bend words, rightly or not. */
export function otherForm(word) {
  if (!/^[a-z]{5,}$/.test(word)) return word;
  if (word.endsWith('ing')) return word.slice(0, -3);
  if (word.endsWith('ed')) return word.slice(0, -2);
  return word.endsWith('s') ? word.slice(0, -1) : `${word}s`;
}

export function shuffled(list, random) {
  return list
    .map((item) => [random(), item])
    .sort(([a], [b]) => a - b)
    .map(([, item]) => item);
}

export function pick(list, random) {
  return list[Math.floor(random() * list.length)];
}

/** Always the same row of numbers from 0 to 1. */
export function numbers(seed) {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}
