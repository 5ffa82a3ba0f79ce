import { tokenise } from '../indexing/tokenise.ts';
import { hasErrorName } from '../model/error-text.ts';
import type { RankedMatch } from './calibrate.ts';
import { measureCloseness } from './features/document.ts';
import { measureRarity } from './features/rarity.ts';
import { findRelatedIn } from './features/related.ts';
import { isOutlier, type Similarities } from './fuse-similarity.ts';
import type { Match } from './match.ts';
import { OTHER_STOP_WORDS } from './other-stop-words.ts';
import { isDistinctive, type Question } from './parse-question.ts';

/**
 * Where an answer stops. The numbers are chosen by bench/precision/choose-cut.mjs, on questions about the memories in
 * a project and on the same questions asked in another project.
 */
export const CUT = {
  /** The share of the best hit's rank score that a hit needs … */
  relative: 0.55,
  /** … and more of it, if it has only some of the words that the best hit has, and no other. */
  fewer: 0.05,
  /** The share of the question that at least one hit must contain, or there is no answer. */
  floor: 0.24,
};

/** In fewer memories than these one common word tells more, so the floor is lower. */
const FEW_MEMORIES = 20;
/** As if there were this many other memories without the word: otherwise no word is rare in a small store. */
const BACKGROUND = 200;
/** A longer question need not be answered in more rare words than these: most of its words set the scene. */
const ENOUGH_WORDS = 4;
/** In about one of ten memories. */
const RARE_STOP_WORD = Math.log(10);
/** The weight of a word that is missing, while one with the same prefix or another word for the same is there. */
const ALIKE = 0.5;

/** For each of these hits, best first, whether it answers the question. The others are weaker. */
export function findStrongHits(
  question: Question,
  memories: number,
  ranked: RankedMatch[],
  similarities?: Similarities,
  { relative, fewer, floor } = CUT,
): boolean[] {
  const best = ranked[0];
  const needed = floor * Math.min(1, memories / FEW_MEMORIES);
  if (question.parsed.terms.every((term) => !isDistinctive(term)))
    return ranked.map(({ match }) => hasRareStopWords(question, match));
  const shareOf = createShareMeasure(question, memories);
  const isOfAnotherTime = createTimeCheck(question, best);
  const hasOnlyCommon = createCommonCheck(question, ranked);
  const hits = ranked.map(({ match, total }) => {
    const share = shareOf(match);
    const isMeant = similarities !== undefined && isOutlier(match.doc.id, similarities);
    // A hit without any word was found by its neighbours or by a link.
    const hasPartsOnly = share === 0 && match.own.some((value) => value > 0);
    const least = relative + (best && hasFewerWords(match, best.match) ? fewer : 0);
    const isNear =
      total >= (best?.total ?? 0) * least &&
      !hasPartsOnly &&
      !isOfAnotherTime(match) &&
      (isMeant || !hasOnlyCommon(match));
    return { isNear, isEnough: isMeant || (share > 0 && share >= needed) };
  });
  const isAnswered = hits.some(({ isNear, isEnough }) => isNear && isEnough);
  return hits.map(({ isNear }) => isAnswered && isNear);
}

/** Whether it has some of these words of the question, and no other. */
function hasFewerWords({ own }: Match, best: Match): boolean {
  return own.some((value, at) => !value && best.own[at]) && own.every((value, at) => !value || best.own[at]);
}

/** As the index has them: in a question they carry no subject. */
const QUESTION_VERBS = new Set(
  'get got come came give gave take took make made keep kept let put happen want need'.split(' '),
);

/** "why do we get 413": where a hit has 413, another is no answer because it has "get". */
function createCommonCheck({ parsed, related }: Question, ranked: RankedMatch[]) {
  const isTelling = parsed.terms.map((term) => !QUESTION_VERBS.has(term) && isDistinctive(term));
  const tells = ({ doc, own, alike }: Match) =>
    isTelling.some(
      (telling, at) => telling && (own[at] || alike[at] || findRelatedIn(related[at] ?? [], doc)),
    );
  const isTold = ranked.some(({ match }) => match.own.some((value, at) => value > 0 && isTelling[at]));
  return (match: Match): boolean => isTold && match.own.some((value) => value > 0) && !tells(match);
}

const AT_THAT_TIME = 0.5;
const AT_ANOTHER_TIME = 0.1;

/** If the best hit is from the time in the question, what is from another time is no answer. */
function createTimeCheck({ parsed: { span } }: Question, best: RankedMatch | undefined) {
  const closenessOf = ({ doc }: Match) => (span ? measureCloseness(doc.at, span) : 1);
  const isAsked = span !== null && best !== undefined && closenessOf(best.match) > AT_THAT_TIME;
  return (match: Match): boolean => isAsked && closenessOf(match) < AT_ANOTHER_TIME;
}

/** "the of a" asks for nothing; "before" may, where few memories say it. */
function hasRareStopWords({ idf }: Question, { own }: Match): boolean {
  return own.every((value) => value > 0) && idf.every((rarity) => rarity >= RARE_STOP_WORD);
}

/** The share of the question that a match contains, by the rarity of the words. */
function createShareMeasure({ parsed, idf, related }: Question, memories: number): (match: Match) => number {
  const parts = findPartsOfErrors(parsed.terms, parsed.written);
  // A question in another language than the memories: they cannot have its small words.
  const isForeign = (rarity: number, index: number) =>
    rarity >= measureRarity(0, memories) && OTHER_STOP_WORDS.has(parsed.terms[index] ?? '');
  const weights = idf.map((rarity, index) =>
    parts.has(index) || isForeign(rarity, index)
      ? 0
      : Math.log(((memories + 1 + BACKGROUND) / (memories + 1)) * Math.exp(rarity)),
  );
  const rarest = Math.log((memories + 1 + BACKGROUND) / 0.5);
  const total = Math.min(
    weights.reduce((sum, weight) => sum + weight, 0),
    ENOUGH_WORDS * rarest,
  );
  return ({ doc, own, alike }) => {
    const shareOf = (index: number) => {
      if (own[index]) return 1;
      return alike[index] || findRelatedIn(related[index] ?? [], doc) ? ALIKE : 0;
    };
    const found = weights.reduce((sum, weight, index) => sum + weight * shareOf(index), 0);
    return total > 0 ? found / total : 0;
  };
}

/** The terms that are a part of an error name in a question: they do not answer it, and with the name they add nothing. */
function findPartsOfErrors(terms: string[], written: Map<string, string>): Set<number> {
  const names = new Set([...written.values()].filter(hasErrorName));
  const parts = new Set<number>();
  for (const name of names) {
    const whole = terms.indexOf(tokenise(name)[0] ?? '');
    if (whole < 0) continue;
    for (const [index, term] of terms.entries())
      if (written.get(term) === name && index !== whole) parts.add(index);
  }
  return parts;
}
