import { linesOf, openCodingSet } from '../coding-set/load.mjs';
import { workFolder } from '../home.mjs';
import { isForTuning } from '../push.mjs';

/** As many as a search shows if no limit is given. */
const LIMIT = 10;

/**
 * The questions of the coding set, each with another project, where nothing is stored about it. `search(text, group)`
 * gives what a search shows; it reads CUT, which may be changed between searches.
 */
export async function openAnswers() {
  const set = await openCodingSet(workFolder());
  const questions = linesOf('queries.jsonl');
  const groups = [...new Set(questions.map(({ group }) => group))];
  const answers = questions.map((question, index) => {
    const others = groups.filter((group) => group !== question.group);
    return {
      ...question,
      isForTuning: isForTuning(question.id),
      elsewhere: others[index % others.length],
    };
  });
  const search = (text, group) => set.search(text, group, { limit: LIMIT });
  return { answers, search, close: set.close, CUT: set.product.CUT };
}

/** Of these answers: how much of what is returned is listed as relevant, and how much of that is returned. */
export function judgeAnswers(answers, search) {
  const judged = answers.map(({ text, group, relevant }) => {
    const returned = search(text, group);
    return {
      returned: returned.length,
      right: returned.filter((doc) => relevant.includes(doc)).length,
      relevant: relevant.length,
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
  };
}
