import { OBSERVATION_TYPES } from '../../model/memory.ts';
import type { FeedFilter } from './feed-state.ts';

/** Reads the filter from the address and ignores invalid values. */
export function readFilter(query: URLSearchParams): FeedFilter {
  const project = Number(query.get('project'));
  const agent = query.get('agent');
  const type = OBSERVATION_TYPES.find((known) => known === query.get('type'));
  return {
    ...(Number.isSafeInteger(project) && project > 0 && { project }),
    ...(agent && { agent }),
    ...(type && { type }),
  };
}
