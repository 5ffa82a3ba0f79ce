import { tokenise } from '../../indexing/tokenise.ts';
import { type ParsedQuery, parseQuery } from '../../recall/parse-query.ts';
import { parseQuestion } from '../../recall/parse-question.ts';
import { type Heads, TeamError, type TeamFeed } from '../feed.ts';
import { hashToken } from '../sync/token-hash.ts';
import { readTeamMemory, type TeamMemory } from './team-memory.ts';

/** How many candidates the server returns at most. */
const MOST_CANDIDATES = 200;
/** After more replacements than this a memory is about another subject. */
const LONGEST_CHAIN = 4;
const MOST_SUCCESSORS = 50;

/** The server's answer to a query. */
export interface TeamCandidates {
  projects: TeamProjectName[];
  memories: TeamMemory[];
  /** The number of changes in all searched projects; there are at most this many memories. */
  changes: number;
  frequencies: Map<number, number>;
}

export interface TeamProjectName {
  /** The server's number. */
  id: number;
  key: string;
  name: string;
}

/**
 * Fetches candidates for a query, and the memories that replaced them.
 * @throws TeamError if the server does not answer, or within `mostMs`.
 */
export function fetchCandidates(
  feed: TeamFeed,
  { text, now, names, mostMs }: { text: string; now: number; names: Map<string, string>; mostMs: number },
): Promise<TeamCandidates> {
  return limitTime(mostMs, async () => {
    const query = parseQuery(text, now);
    const heads = await feed.listHeads();
    const projects = listProjectNames(heads, names);
    const projectIds = selectProjects(projects, query);
    const searched = heads.projects.filter(({ id }) => projectIds === null || projectIds.includes(id));
    const { candidates, frequencies } = await feed.search({
      projects: projectIds,
      tokens: hashQuery(query, now),
      limit: MOST_CANDIDATES,
    });
    const memories = candidates.flatMap((found) => readTeamMemory(found) ?? []);
    return {
      projects,
      memories: await addSuccessors(feed, memories),
      changes: searched.reduce((sum, { head }) => sum + Number(head), 0),
      frequencies,
    };
  });
}

/** Projects with their local names, or the team's if they are not here. */
export function listProjectNames(heads: Heads, names: Map<string, string>): TeamProjectName[] {
  return heads.projects.map(({ id, key, label }) => ({
    ...{ id, key },
    name: names.get(key) ?? Buffer.from(label).toString(),
  }));
}

/** The selected projects; null for all. */
function selectProjects(projects: TeamProjectName[], query: ParsedQuery): number[] | null {
  if (query.projects.length === 0) return null;
  const wanted = query.projects.map((name) => name.toLowerCase());
  return projects.filter(({ name }) => wanted.includes(name.toLowerCase())).map(({ id }) => id);
}

/** Hashes the words of a query for the server. */
export function hashQuery(query: ParsedQuery, now: number): number[] {
  const { terms } = parseQuestion(query.words, now);
  return [...new Set([...terms, ...query.phrases.flatMap(tokenise)].map(hashToken))];
}

/** Adds replacements of candidates, which may have none of the query's words. */
async function addSuccessors(feed: TeamFeed, memories: TeamMemory[]): Promise<TeamMemory[]> {
  const known = new Map(memories.map((memory) => [memory.item, memory]));
  const requested = new Set(known.keys());
  for (let hop = 0; hop < LONGEST_CHAIN; hop++) {
    const missing = [...known.values()].flatMap(({ supersededBy }) =>
      supersededBy !== null && !requested.has(supersededBy) ? [supersededBy] : [],
    );
    if (missing.length === 0) break;
    for (const item of missing) requested.add(item);
    for (const found of await feed.readTexts([...new Set(missing)].slice(0, MOST_SUCCESSORS))) {
      const memory = readTeamMemory(found);
      if (memory) known.set(memory.item, memory);
    }
  }
  return [...known.values()];
}

/** Limits the time, because a person or an agent is waiting. */
export async function limitTime<T>(mostMs: number, work: () => Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new TeamError('network', `The server did not answer within ${mostMs / 1_000} seconds.`)),
      mostMs,
    );
  });
  try {
    return await Promise.race([work(), late]);
  } finally {
    clearTimeout(timer);
  }
}
