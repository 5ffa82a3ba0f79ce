import { headingOf, isInterim } from '../calls/commits.ts';
import type { Evidence } from '../evidence.ts';
import { editFacts } from '../facts.ts';
import { dropComment } from '../rating/complete.ts';
import { dropEmptyClause } from '../rating/noise.ts';
import type { KeptSentence } from '../rating/rated-sentence.ts';
import type { Request } from '../request.ts';
import { asRule, dropOpening } from '../text/openings.ts';
import { shorten } from '../text/shorten.ts';
import { headingFrom, headingFromRequest, headingOfStatement, isSelfContained } from '../text/title.ts';
import type { Topic } from './group.ts';

const LONGEST = 140;

/** The strongest claim in a short form; for a piece of work its commit, or the request if nothing was said about it. */
export function titleTopic(
  { claims, isWork }: Topic,
  request: Request,
  { commits, edits }: Evidence,
): string {
  const [commit, another] = commits.filter((each) => !isInterim(each));
  if (isWork && commit && !another) return shorten(headingOf(commit), LONGEST);
  const aboutWork = claims.filter(({ role }) => role === 'deed' || role === 'cause');
  const best = findBest(isWork && aboutWork.length > 0 ? aboutWork : claims);
  if (best?.from === 'person') return headingFrom(asRule(dropOpening(best.text)));
  if (best)
    return headingOfStatement({ text: dropOpening(dropEmptyClause(dropComment(best))), code: best.code });
  const [first] = claims;
  if (first) return headingFrom(first.statement);
  const [fact = ''] = editFacts(edits, 1);
  return headingFromRequest(request.asked) || shorten(fact, LONGEST);
}

function findBest(claims: KeptSentence[]): KeptSentence | undefined {
  const [best] = claims.filter(isSelfContained).sort((a, b) => titleScore(b) - titleScore(a));
  return best;
}

/** A heading is short, and the first sentence of a message mostly tells the whole. */
function titleScore({ isFirst, text, from, score }: KeptSentence): number {
  return score + (isFirst ? 1 : 0) + (text.length <= LONGEST ? 1 : 0) + (from === 'closing' ? 0.5 : 0);
}
