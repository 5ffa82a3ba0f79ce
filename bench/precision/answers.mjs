import { linesOf, openCodingSet } from '../coding-set/load.mjs';
import { workFolder } from '../home.mjs';
import { isForTuning } from '../push.mjs';

/** As many as a search shows if no limit is given. */
const LIMIT = 10;

/**
 * What recall finds for each question of the coding set, and for the same question in another project, where nothing
 * is stored about it. `strongOf(answer, cut)` are the documents before the cut.
 */
export async function askCodingSet() {
  const set = await openCodingSet(workFolder());
  const questions = linesOf('queries.jsonl');
  const groups = [...new Set(questions.map(({ group }) => group))];
  const answers = questions.map((question, index) => {
    const others = groups.filter((group) => group !== question.group);
    return {
      ...question,
      isForTuning: isForTuning(question.id),
      here: set.candidates(question.text, question.group, { limit: LIMIT }),
      elsewhere: set.candidates(question.text, others[index % others.length], { limit: LIMIT }),
    };
  });
  const { findStrongHits, orderCandidates, CUT } = set.product;
  const strongOf = (candidates, cut = CUT) => {
    const { question, memories, found } = candidates;
    if (question.parsed.terms.length === 0)
      return found.map(({ match }) => set.documentOf.get(Math.floor(match.doc.id / 2)));
    candidates.best ??= orderCandidates(candidates).slice(0, LIMIT);
    const strong = findStrongHits(question, memories, candidates.best, undefined, cut);
    return candidates.best
      .filter((_, index) => strong[index])
      .map(({ match }) => set.documentOf.get(Math.floor(match.doc.id / 2)));
  };
  return { answers, strongOf, close: set.close, CUT };
}

/** Of these answers: how much of what is returned is listed as relevant, and how much of that is returned. */
export function judgeAnswers(answers, strongOf, cut) {
  const judged = answers.map(({ relevant, here, elsewhere }) => {
    const returned = strongOf(here, cut);
    return {
      returned: returned.length,
      right: returned.filter((doc) => relevant.includes(doc)).length,
      relevant: relevant.length,
      isEmptyElsewhere: strongOf(elsewhere, cut).length === 0,
    };
  });
  const sum = (part) => judged.reduce((total, each) => total + each[part], 0);
  const mean = (list, of) => list.reduce((total, each) => total + of(each), 0) / Math.max(list.length, 1);
  return {
    questions: judged.length,
    precision: mean(
      judged.filter(({ returned }) => returned > 0),
      ({ right, returned }) => right / returned,
    ),
    pooled: sum('right') / Math.max(sum('returned'), 1),
    recall: mean(judged, ({ right, relevant }) => right / relevant),
    hits: sum('returned') / judged.length,
    empty: mean(judged, ({ returned }) => Number(returned === 0)),
    emptyElsewhere: mean(judged, ({ isEmptyElsewhere }) => Number(isEmptyElsewhere)),
  };
}
