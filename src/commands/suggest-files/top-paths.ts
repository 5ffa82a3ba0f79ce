export type TopPaths = ReturnType<typeof createTopPaths>;

export function createTopPaths(limit: number) {
  const kept: { path: string; score: number }[] = [];
  const isFull = () => kept.length >= limit;

  return {
    isFull,
    /** The lowest score that is kept; a new path must exceed it. */
    bar: () => (isFull() ? (kept.at(-1)?.score ?? 0) : Number.NEGATIVE_INFINITY),
    add(path: string, score: number): void {
      if (kept.some((entry) => entry.path === path)) return;
      const worse = kept.findIndex(
        (entry) => entry.score < score || (entry.score === score && path < entry.path),
      );
      kept.splice(worse === -1 ? kept.length : worse, 0, { path, score });
      if (kept.length > limit) kept.pop();
    },
    paths: () => kept.map(({ path }) => path),
  };
}
