/** People and agents refer to a memory that is only on the team's server by a prefix of its uuid. */
const SHORTEST = 8;

export function formatTeamId(item: string): string {
  return `t${item.slice(0, SHORTEST)}`;
}

/** @returns the prefix of a uuid; null for anything else. */
export function parseTeamId(text: string): string | null {
  return /^\s*t([0-9a-f]{8}(?:[0-9a-f-]{0,28}))\s*$/i.exec(text)?.[1]?.toLowerCase() ?? null;
}
