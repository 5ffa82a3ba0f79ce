/** Pseudo-random numbers, reproducible by seed (mulberry32). */
export function createRandom(seed) {
  let state = seed >>> 0;

  function next() {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  const below = (limit) => Math.floor(next() * limit);
  const pick = (items) => items[below(items.length)];
  return {
    next,
    below,
    pick,
    chance: (probability) => next() < probability,
    text: (alphabet, length) => Array.from({ length }, () => pick(alphabet)).join(''),
    bytes: (length) => Buffer.from(Array.from({ length }, () => below(256))),
  };
}
