import { join } from 'node:path';
import { openFollowUpStore } from './follow-ups/fill.mjs';
import { loadSessions, SETTINGS } from './follow-ups.mjs';
import { workFolder } from './home.mjs';
import { judgeAnswers, openAnswers } from './precision/answers.mjs';
import { loadParts } from './product.mjs';

const LIMIT = 10;
const NOW = Date.UTC(2026, 10, 16, 9);

/** The quality of search results: how many are right, how many of the right ones are found, and how often none. */
export async function measure() {
  const rows = [...(await measureCodingSet()), ...(await measureFollowUps())];
  return {
    title: 'What a search returns',
    columns: [
      'questions',
      'number',
      'precision',
      'pooled',
      'recall',
      'hits',
      'no answer',
      'no answer elsewhere',
    ],
    rows,
    notes: [
      'Precision: of the hits of an answer, the share that is listed as relevant; the mean over answers. Pooled: of all hits. Recall: the share of the listed memories that is returned.',
      'Lists of relevant memories are incomplete: of 60 other hits, checked by hand, 8 were relevant too.',
      'No answer elsewhere: the same questions in another project, where nothing is stored about them; of follow-ups, unrelated prompts in the same project.',
      'Follow-ups: a hit is relevant if it says what the session expects; questions whose answer no memory kept are left out.',
      'The cut is chosen on the tuning half by bench/precision/choose-cut.mjs.',
    ],
  };
}

async function measureCodingSet() {
  const { answers, search, close } = await openAnswers();
  const halves = [
    ['coding set, tuning half', answers.filter(({ isForTuning }) => isForTuning)],
    ['coding set, other half', answers.filter(({ isForTuning }) => !isForTuning)],
  ];
  const rows = halves.map(([name, those]) =>
    rowOf(name, {
      ...judgeAnswers(those, search),
      emptyElsewhere: judgeAnswers(
        those.map((answer) => ({ ...answer, group: answer.elsewhere })),
        search,
      ).empty,
    }),
  );
  close();
  return rows;
}

async function measureFollowUps() {
  const { product, sessions } = await loadSessions();
  const { correctQuery, recallTopics } = await loadParts(`
    export { correctQuery } from './src/recall/near-words/correct-query.ts';
    export { recallTopics } from './src/recall/recall-topics.ts';`);
  return SETTINGS.slice(0, 3).map((setting) => {
    const wanted = sessions.filter((_, index) => index % (setting.every ?? 1) === 0);
    const filled = openFollowUpStore(product, sessions, { folder: join(workFolder()), ...setting, wanted });
    const find = (name, text) => {
      const projectId = filled.requestFor(name, 'bench').project.id;
      const request = { text, projectId, reach: 'project', limit: LIMIT, now: NOW };
      const corrected = correctQuery(filled.store, request).text;
      const { hits } = recallTopics(filled.store, { ...request, text: corrected });
      return hits.filter(({ isWeaker }) => !isWeaker);
    };
    const answers = wanted.flatMap(({ name, expects }) =>
      expects.followUps.flatMap(({ asks, says }) =>
        judgeFollowUp(product, filled, find(name, asks), { name, says }),
      ),
    );
    const unrelated = wanted.flatMap(({ name, expects }) =>
      expects.unrelated.map((prompt) => find(name, prompt).length === 0),
    );
    filled.close();
    return rowOf(`follow-ups, ${setting.name}`, {
      ...summarise(answers),
      emptyElsewhere: unrelated.filter(Boolean).length / unrelated.length,
    });
  });
}

/** Several memories may contain the answer, such as a summary and an observation; one of them is enough. */
function judgeFollowUp(product, { store, requestFor }, hits, { name, says }) {
  const projectId = requestFor(name, 'bench').project.id;
  const isRight = ({ title, facts, narrative, parts, subtitle }) =>
    product.absent(says, JSON.stringify([title, subtitle, facts, narrative, parts])).length === 0;
  if (!store.listRecentMemories({ projectId, limit: 10_000 }).some(isRight)) return [];
  const right = store.getMemories(hits.map(({ id }) => id)).filter(isRight).length;
  return [{ returned: hits.length, right, isAnswered: right > 0 }];
}

function summarise(answers) {
  const sum = (of) => answers.reduce((total, each) => total + of(each), 0);
  const given = answers.filter(({ returned }) => returned > 0);
  return {
    questions: answers.length,
    precision: given.reduce((total, { right, returned }) => total + right / returned, 0) / given.length,
    pooled: sum(({ right }) => right) / sum(({ returned }) => returned),
    recall: sum(({ isAnswered }) => Number(isAnswered)) / answers.length,
    hits: sum(({ returned }) => returned) / answers.length,
    empty: 1 - given.length / answers.length,
  };
}

function rowOf(name, figures) {
  const { questions, precision, pooled, recall, hits, empty, emptyElsewhere } = figures;
  const share = (value) => value.toFixed(2);
  return {
    cells: [
      ...[name, String(questions), share(precision), share(pooled), share(recall), hits.toFixed(1)],
      ...[share(empty), share(emptyElsewhere)],
    ],
    figures: { name, ...figures },
  };
}
