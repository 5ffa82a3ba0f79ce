import type { ObservationType } from '../../../model/memory.ts';
import type { Evidence } from '../evidence.ts';
import type { KeptSentence } from '../rating/rated-sentence.ts';
import type { Request } from '../request.ts';
import type { Topic } from './group.ts';
import { classifyWork } from './work-kind.ts';

/** By what the claims say and the calls show; the strongest sign first. */
export function typeOf({ claims, isWork }: Topic, evidence: Evidence, request: Request): ObservationType {
  const [first] = claims;
  if (isWork) return evidence.tookBack ? 'gotcha' : classifyWork(request, claims, evidence);
  if (first?.from === 'person') return typeOfPerson(claims);
  if (first?.from === 'answer') return 'decision';
  if (first?.role === 'decision') return 'decision';
  if (evidence.tookBack || claims.some(({ role }) => role === 'trap')) return 'gotcha';
  return request.intent === 'explain' && evidence.edits.length === 0 ? 'how-it-works' : 'discovery';
}

/** What a person says is meant to be followed, also where it only gives a reason. */
function typeOfPerson(claims: KeptSentence[]): ObservationType {
  const isStanding = claims.some(({ features }) => features.personRule !== undefined);
  return !isStanding && claims.some(({ role }) => role === 'decision') ? 'decision' : 'preference';
}
