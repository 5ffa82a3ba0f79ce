import type { SearchDoc } from '../store/types/search.ts';

/** The documents, and the neighbours of the first `around` in their sessions; as the store reads them. */
export function readNeighbours(
  docs: ReadonlyMap<number, SearchDoc>,
  ids: number[],
  around: number,
): SearchDoc[] {
  const found = new Map<number, SearchDoc>();
  const add = (id: number) => {
    const doc = docs.get(id);
    if (doc && !found.has(id)) found.set(id, { ...doc, previous: null, next: null });
    return found.get(id);
  };
  for (const id of ids) add(id);
  for (const id of ids.slice(0, around)) {
    const doc = found.get(id);
    if (!doc || doc.sessionId === null) continue;
    const session = [...docs.values()]
      .filter(({ sessionId }) => sessionId === doc.sessionId)
      .sort((one, other) => one.at - other.at || one.id - other.id);
    const place = session.findIndex((each) => each.id === id);
    const [previous, next] = [session[place - 1], session[place + 1]];
    doc.previous = previous?.id ?? null;
    doc.next = next?.id ?? null;
    if (previous) Object.assign(add(previous.id) ?? {}, { next: id });
    if (next) Object.assign(add(next.id) ?? {}, { previous: id });
  }
  return [...found.values()];
}
