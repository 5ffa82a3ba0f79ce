/** The first item of every list, then the second of every list, and so on. */
export function interleave<Value>(lists: Value[][]): Value[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, place) =>
    lists.flatMap((list) => list.slice(place, place + 1)),
  ).flat();
}
