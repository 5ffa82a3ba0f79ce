/** Maps items with at most `limit` calls at a time. @returns the results in the order of the items. */
export async function atATime<T, R>(limit: number, items: T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  const waiting = items.entries();
  async function worker(): Promise<void> {
    for (const [index, item] of waiting) results[index] = await work(item);
  }
  await Promise.all(Array.from({ length: limit }, worker));
  return results;
}
