import type { ReliabilityOf } from '../../context/reliability.ts';
import { findProjectProblem } from '../../recall/check-names.ts';
import { parseQuery } from '../../recall/parse-query.ts';
import type { RecallRequest } from '../../recall/request.ts';
import type { TeamFeed } from '../feed.ts';
import { fetchCandidates, hashQuery } from './fetch-candidates.ts';
import { type LocalItems, rankCandidates, type TeamHits } from './rank-candidates.ts';

/** A limit, because a person or an agent is waiting. */
const MOST_MS = 10_000;

export type TeamSearchResult =
  | ({ outcome: 'found' } & TeamHits)
  /** The query cannot be used for a team; `problem` is worded for the person. */
  | { outcome: 'unusable'; problem: string };

/**
 * Searches the team's server, in every project that this member may read, pulled or not.
 * @throws TeamError if the server does not answer in time.
 */
export async function searchTeam(
  local: LocalItems,
  feed: TeamFeed,
  request: Omit<RecallRequest, 'reach' | 'vector'>,
  reliabilityOf: ReliabilityOf,
): Promise<TeamSearchResult> {
  const { text, now } = request;
  const query = parseQuery(text, now);
  if (query.asksForErrors && query.kinds.length === 0)
    return { outcome: 'unusable', problem: 'Errors are not shared: a team has no kind:error.' };
  if (hashQuery(query, now).length === 0)
    return { outcome: 'unusable', problem: 'Missing words: a team is not searched by operators alone.' };
  const names = new Map(local.listTeamProjects().map(({ key, name }) => [key, name]));
  const candidates = await fetchCandidates(feed, { text, now, names, mostMs: MOST_MS });
  const problem = findProjectProblem(query, () =>
    candidates.projects.map(({ name }) => ({ name, merged: [] })),
  );
  if (problem !== null) return { outcome: 'unusable', problem };
  return { outcome: 'found', ...rankCandidates(local, candidates, request, reliabilityOf) };
}
