/** The most similar known word, if any is close enough. */
export function findNearest(word: string, words: string[]): string | undefined {
  let best: { word: string; distance: number } | undefined;
  for (const candidate of words) {
    const distance = candidate.startsWith(word) ? 1 : editDistance(word, candidate);
    if (!best || distance < best.distance) best = { word: candidate, distance };
  }
  return best && best.distance <= Math.max(1, Math.floor(word.length / 3)) ? best.word : undefined;
}

/** Swapped letters count as one mistake, like an added, missing or wrong letter. */
function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swap = isSwap ? (before[j - 2] ?? 0) + 1 : change;
      next.push(Math.min(change, swap, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    before = row;
    row = next;
  }
  return row[b.length] ?? 0;
}
