export type TopPaths = ReturnType<typeof createTopPaths>;

/** The paths with the highest scores, each once. */
export function createTopPaths(limit: number) {
  const kept: { path: string; score: number }[] = [];
  const isFull = () => kept.length >= limit;

  return {
    isFull,
    /** What a score has to be above. */
    bar: () => (isFull() ? (kept.at(-1)?.score ?? 0) : Number.NEGATIVE_INFINITY),
    add(path: string, score: number): void {
      if (kept.some((each) => each.path === path)) return;
      const worse = kept.findIndex(
        (each) => each.score < score || (each.score === score && path < each.path),
      );
      kept.splice(worse === -1 ? kept.length : worse, 0, { path, score });
      if (kept.length > limit) kept.pop();
    },
    paths: () => kept.map(({ path }) => path),
  };
}
