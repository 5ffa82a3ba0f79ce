/** Reproducible random numbers: the same seed repeats a failure. */
export interface Random {
  /** At least 0, below 1. */
  next(): number;
  /** A whole number of at least 0, below `limit`. */
  below(limit: number): number;
  oneOf<T>(items: readonly [T, ...T[]]): T;
  chance(probability: number): boolean;
}

/** A new seed for each run, unless `CAIRN_TEST_SEED` is set to repeat one. Put it into the test's name. */
export function chooseSeed(): number {
  return Number(process.env.CAIRN_TEST_SEED) || Math.floor(Math.random() * 2 ** 31);
}

/** mulberry32 */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0;

  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  const below = (limit: number) => Math.floor(next() * limit);
  return {
    next,
    below,
    oneOf: (items) => items[below(items.length)] ?? items[0],
    chance: (probability) => next() < probability,
  };
}
