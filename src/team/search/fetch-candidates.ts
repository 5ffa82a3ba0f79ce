import { tokenise } from '../../indexing/tokenise.ts';
import { type ParsedQuery, parseQuery } from '../../recall/parse-query.ts';
import { parseQuestion } from '../../recall/parse-question.ts';
import { type Heads, TeamError, type TeamFeed } from '../feed.ts';
import { hashToken } from '../sync/token-hash.ts';
import { readTeamMemory, type TeamMemory } from './team-memory.ts';

/** What the server gives at most. */
const MOST_CANDIDATES = 200;
/** Replaced again and again: further back it is another subject. */
const LONGEST_CHAIN = 4;
const MOST_SUCCESSORS = 50;

/** What the server knows about a question. */
export interface TeamCandidates {
  projects: TeamProjectName[];
  memories: TeamMemory[];
  /** Changes of all projects that were searched: not fewer than memories. */
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
 * Candidates for a query, and what has replaced them.
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
    const asked = selectProjects(projects, query);
    const searched = heads.projects.filter(({ id }) => asked === null || asked.includes(id));
    const { candidates, frequencies } = await feed.search({
      projects: asked,
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

/** By the name that they have here, else by the team's. */
export function listProjectNames(heads: Heads, names: Map<string, string>): TeamProjectName[] {
  return heads.projects.map(({ id, key, label }) => ({
    ...{ id, key },
    name: names.get(key) ?? Buffer.from(label).toString(),
  }));
}

/** Null: all of them. */
function selectProjects(projects: TeamProjectName[], query: ParsedQuery): number[] | null {
  if (query.projects.length === 0) return null;
  const wanted = query.projects.map((name) => name.toLowerCase());
  return projects.filter(({ name }) => wanted.includes(name.toLowerCase())).map(({ id }) => id);
}

/** The words of a query that the server can look for. */
export function hashQuery(query: ParsedQuery, now: number): number[] {
  const { terms } = parseQuestion(query.words, now);
  return [...new Set([...terms, ...query.phrases.flatMap(tokenise)].map(hashToken))];
}

/** What has replaced a candidate may have none of its words. */
async function addSuccessors(feed: TeamFeed, memories: TeamMemory[]): Promise<TeamMemory[]> {
  const known = new Map(memories.map((memory) => [memory.item, memory]));
  const asked = new Set(known.keys());
  for (let hop = 0; hop < LONGEST_CHAIN; hop++) {
    const missing = [...known.values()].flatMap(({ supersededBy }) =>
      supersededBy !== null && !asked.has(supersededBy) ? [supersededBy] : [],
    );
    if (missing.length === 0) break;
    for (const item of missing) asked.add(item);
    for (const found of await feed.readTexts([...new Set(missing)].slice(0, MOST_SUCCESSORS))) {
      const memory = readTeamMemory(found);
      if (memory) known.set(memory.item, memory);
    }
  }
  return [...known.values()];
}

/** A person or an agent waits for it. */
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
