import type { ObservationType } from '../../../model/memory.ts';
import type { Evidence } from '../evidence.ts';
import type { KeptSentence } from '../rating/rated-sentence.ts';
import type { Request } from '../request.ts';
import type { Topic } from './group.ts';
import type { WorkType } from './work-kind.ts';

/** By what the claims say and the calls show; the strongest sign first. */
export function typeOf(
  { claims, isWork }: Topic,
  evidence: Evidence,
  request: Request,
  work: WorkType,
): ObservationType {
  const [first] = claims;
  if (isWork) return evidence.tookBack ? 'gotcha' : work;
  if (first?.from === 'person') return typeOfPerson(claims);
  if (first?.from === 'answer') return 'decision';
  if (first?.role === 'decision') return 'decision';
  if (evidence.tookBack) return 'gotcha';
  const best = heaviest(claims);
  if (evidence.edits.length === 0 && evidence.commits.length === 0)
    return request.intent === 'explain' && best && saysHowItIs(best) ? 'how-it-works' : 'discovery';
  return best?.role === 'trap' ? 'gotcha' : 'discovery';
}

/** What a person says is meant to be followed, also where it only gives a reason. */
function typeOfPerson(claims: KeptSentence[]): ObservationType {
  const isStanding = claims.some(({ features }) => features.personRule !== undefined);
  return !isStanding && claims.some(({ role }) => role === 'decision') ? 'decision' : 'preference';
}

function heaviest(claims: KeptSentence[]): KeptSentence | undefined {
  const [best] = [...claims].sort((a, b) => b.score - a.score);
  return best;
}

/** An answer to a question that holds in general: “a job is always retried”; not “but no caller sets that header”. */
function saysHowItIs({ markers, isFirst }: KeptSentence): boolean {
  return !markers.has('but') && (markers.has('obligation') || (isFirst && !markers.has('negation')));
}
