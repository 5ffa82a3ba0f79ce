/** Inverse document frequency. */
export function measureRarity(having: number, docs: number): number {
  return Math.log(1 + (Math.max(docs - having, 0) + 0.5) / (having + 0.5));
}
