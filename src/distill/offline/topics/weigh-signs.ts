/** What speaks for which of several kinds, and how much. */
export type SignTable<Sign extends string, Kind extends string> = Record<Sign, Partial<Record<Kind, number>>>;

/** The sum of the weights of the signs that were found, by kind. */
export function weighSigns<Sign extends string, Kind extends string>(
  table: SignTable<Sign, Kind>,
  found: Record<Sign, boolean>,
  kinds: readonly Kind[],
): Map<Kind, number> {
  const sums = new Map(kinds.map((kind) => [kind, 0]));
  for (const sign of Object.keys(table) as Sign[]) {
    if (!found[sign]) continue;
    for (const kind of kinds) sums.set(kind, (sums.get(kind) ?? 0) + (table[sign][kind] ?? 0));
  }
  return sums;
}

/** The kind with the largest sum; of two that are as likely, the first. */
export function likeliest<Kind extends string>(sums: Map<Kind, number>, fallback: Kind): Kind {
  const [best] = [...sums].sort(([, a], [, b]) => b - a);
  return best?.[0] ?? fallback;
}
