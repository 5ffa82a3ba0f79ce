import type { ObservationType } from '../../../model/memory.ts';
import { concludes } from '../../phrases/choices.ts';
import type { Evidence } from '../evidence.ts';
import type { KeptSentence } from '../rating/rated-sentence.ts';
import { comparesValues } from '../rating/roles.ts';
import { CLAIM_KINDS, type TurnOfClaims, weighKinds } from './claim-kind.ts';
import type { Topic } from './group.ts';
import { likeliest } from './weigh-signs.ts';

const OTHER_KINDS = CLAIM_KINDS.filter((kind) => kind !== 'work');

function isPick(claims: KeptSentence[]): boolean {
  const isRule = claims.some(({ markers }) => markers.has('standing') || markers.has('obligation'));
  return (
    !isRule &&
    claims.some(
      ({ from, isFollowUp, statement }) => from === 'person' && isFollowUp && concludes.test(statement),
    )
  );
}

/** The work has the type of the turn, what the person picked is a decision; else what most speaks for over all claims. */
export function typeOf({ claims, isWork }: Topic, evidence: Evidence, turn: TurnOfClaims): ObservationType {
  if (isWork) return evidence.tookBack ? 'gotcha' : turn.work;
  if (claims[0]?.from === 'answer' || isPick(claims)) return 'decision';
  const sums = new Map(OTHER_KINDS.map((kind) => [kind, 0]));
  for (const claim of claims) {
    const own = weighKinds(claim, turn);
    for (const kind of OTHER_KINDS) sums.set(kind, (sums.get(kind) ?? 0) + (own.get(kind) ?? 0));
  }
  const type = likeliest(sums, 'discovery');
  if (type === 'gotcha' && claims.every(({ text }) => comparesValues(text))) return 'discovery';
  return type === 'discovery' && turn.isExplanation && claims.some(alwaysHolds) ? 'how-it-works' : type;
}

/** “A job is only retried by retry()”, not “no caller sets that header”. */
function alwaysHolds({ markers, from }: KeptSentence): boolean {
  return from === 'closing' && markers.has('obligation') && !markers.has('but') && !markers.has('negation');
}
