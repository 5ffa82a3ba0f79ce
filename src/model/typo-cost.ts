/** Rows of a QWERTY keyboard. Each is shifted by half a key against the one above it. */
const ROWS = ['qwertyuiop', 'asdfghjkl', 'zxcvbnm'];

/** The cost of each mistake; likely mistakes cost less. */
const COST = {
  swap: 0.7,
  /** A doubled letter instead of a single one, or the other way round. */
  doubled: 0.6,
  neighbour: 0.8,
  vowel: 0.85,
  missing: 0.9,
  added: 1,
  other: 1.1,
  /** Added for the first letter, which people seldom get wrong. */
  first: 0.5,
};
/** Exceeds every limit. Used for digits: another number is another thing. */
const NEVER = 99;

/** The highest cost at which a word counts as a typo. Longer words may have more mistakes. */
export function typoLimit(length: number): number {
  if (length < 4) return 0;
  if (length < 5) return 0.75;
  if (length < 6) return 0.95;
  if (length < 8) return 1.15;
  return length < 12 ? 1.9 : 2.4;
}

/** The cost of typing `typed` instead of `meant`, by the cheapest sequence of mistakes. Both are in lower case. */
export function typoCost(typed: string, meant: string): number {
  return costsOfPrefixes(meant, typed, NEVER).at(-1) ?? NEVER;
}

/** The cost of `meant` against each prefix of `typed`, starting with the empty one. Empty if all exceed `limit`. */
export function costsOfPrefixes(meant: string, typed: string, limit: number): number[] {
  let before: number[] = [];
  let row = [0];
  let leastBefore = 0;
  for (let t = 1; t <= typed.length; t++) row.push((row[t - 1] ?? 0) + gap(typed, t - 1, COST.added));
  for (let m = 1; m <= meant.length; m++) {
    const left = gap(meant, m - 1, COST.missing);
    const next = [(row[0] ?? 0) + left];
    let least = next[0] ?? 0;
    for (let t = 1; t <= typed.length; t++) {
      let cost = (row[t - 1] ?? 0) + change(meant, m - 1, typed, t - 1);
      cost = Math.min(cost, (row[t] ?? 0) + left, (next[t - 1] ?? 0) + gap(typed, t - 1, COST.added));
      if (m > 1 && t > 1 && isSwapped(meant, m, typed, t))
        cost = Math.min(cost, (before[t - 2] ?? 0) + COST.swap);
      next.push(cost);
      least = Math.min(least, cost);
    }
    // A swap lowers the cost only in the next row, so the search stops after two rows above the limit.
    if (least > limit && leastBefore > limit) return [];
    leastBefore = least;
    before = row;
    row = next;
  }
  return row;
}

function isSwapped(meant: string, m: number, typed: string, t: number): boolean {
  return meant[m - 1] === typed[t - 2] && meant[m - 2] === typed[t - 1] && meant[m - 1] !== meant[m - 2];
}

/** The cost of a letter that only one of the words has. */
function gap(word: string, at: number, cost: number): number {
  const letter = word[at];
  if (isDigit(letter)) return NEVER;
  if (at > 0 && (word[at - 1] === letter || word[at + 1] === letter)) return COST.doubled;
  return at === 0 && word[1] !== letter ? cost + COST.first : cost;
}

function change(meant: string, m: number, typed: string, t: number): number {
  const one = meant[m];
  const other = typed[t];
  if (one === other) return 0;
  if (one === undefined || other === undefined || isDigit(one) || isDigit(other)) return NEVER;
  const extra = m === 0 && t === 0 ? COST.first : 0;
  if (listNeighbours(one).includes(other)) return COST.neighbour + extra;
  return ('aeiou'.includes(one) && 'aeiou'.includes(other) ? COST.vowel : COST.other) + extra;
}

function isDigit(letter: string | undefined): boolean {
  return letter !== undefined && letter >= '0' && letter <= '9';
}

let neighbours: Map<string, string> | undefined;

/** The keys next to a letter's key. */
export function listNeighbours(letter: string): string {
  neighbours ??= new Map(ROWS.flatMap((keys, row) => [...keys].map((key, at) => [key, keysAround(row, at)])));
  return neighbours.get(letter) ?? '';
}

function keysAround(row: number, at: number): string {
  const key = (line: number, place: number) => (place < 0 ? '' : (ROWS[line]?.[place] ?? ''));
  return [
    ...[key(row, at - 1), key(row, at + 1)],
    ...[key(row - 1, at), key(row - 1, at + 1), key(row + 1, at - 1), key(row + 1, at)],
  ].join('');
}
