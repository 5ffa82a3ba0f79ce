import { openFollowUpStore } from './follow-ups/fill.mjs';
import { workFolder } from './home.mjs';
import { loadParts } from './product.mjs';

const PARTS = `
  export { createBudget } from './src/context/budget.ts';
  export { isWorthLookingUp, PROMPT_INTRO, selectForPrompt } from './src/context/prompt.ts';
  export { joinOffers } from './src/context/offers.ts';
  export { buildStart } from './src/context/start/start.ts';
  export { loadSettings } from './src/config/settings.ts';
  export { readEnvironment } from './src/config/environment.ts';
  export { saveResult } from './src/distill/distill-turn.ts';
  export { distillOffline } from './src/distill/offline/distill.ts';
  export { updateIndex } from './src/indexing/update-index.ts';
  export { openDatabase } from './src/store/sqlite/open.ts';
  export { openSqliteStore } from './src/store/sqlite/sqlite-store.ts';
  export { surveySessions } from './test/distill/all.ts';
  export { readScriptTurns } from './test/distill/script-turns.ts';
  export { absent } from './test/distill/words.ts';
`;

/** Weights were learnt on these. */
const FOR_TUNING = new Set([
  'column-settings-zh',
  'express-five-ja',
  'helm-drain-502',
  'label-worker-stall-en',
  'lost-scans',
  'recordatorios-dobles',
  'tiled-pipeline',
  'wal-disk-en',
]);

/** How much else the project of a session remembers. */
export const SETTINGS = [
  { name: 'one session in a project', together: 1, padding: 0 },
  { name: 'three sessions in a project', together: 3, padding: 0 },
  { name: 'a session and 240 other memories', together: 1, padding: 240 },
];

/** Whether what colleagues ask weeks later is answered by what an agent is given. */
export async function measure({ verbose }) {
  const { product, sessions } = await loadSessions();
  const rows = SETTINGS.flatMap((setting) => {
    const results = measureSetting(product, sessions, setting, verbose);
    return [
      ['calibration half', results.filter(({ isForTuning }) => isForTuning)],
      ['other half', results.filter(({ isForTuning }) => !isForTuning)],
    ].map(([half, those]) => rowOf(`${setting.name}, ${half}`, those));
  });
  return {
    title: 'Follow-up questions answered by what an agent is given',
    columns: [
      'memory',
      'questions',
      'kept',
      'prompt alone',
      'start alone',
      'start + prompt',
      'disturbed',
      'tokens',
    ],
    rows,
    notes: [
      `${sessions.length} sessions. Kept: some memory says it. Disturbed: of the unrelated prompts, the share that gets anything. Tokens: with an answered prompt, and at a start.`,
    ],
  };
}

/** The survey's sessions with their turns as the scripts have them. */
export async function loadSessions() {
  const product = await loadParts(PARTS);
  const sessions = product.surveySessions.map((session) => ({
    name: session.name,
    turns: product.readScriptTurns(session).map((turn, index) => ({ prompt: index + 1, pieces: [turn] })),
    expects: session.expects,
    isForTuning: FOR_TUNING.has(session.name),
  }));
  return { product, sessions };
}

function measureSetting(product, sessions, { together, padding }, verbose) {
  const filled = openFollowUpStore(product, sessions, { folder: workFolder(), together, padding });
  try {
    return sessions.map((session) => {
      const { expects, name, isForTuning } = session;
      const asked = expects.followUps.map(({ asks, says }) => {
        const start = filled.startFor(name);
        const alone = filled.promptFor(name, asks);
        const afterStart = filled.promptAfterStart(name, asks);
        const has = (text) => product.absent(says, text).length === 0;
        const result = {
          isKept: has(filled.everythingOf(name)),
          prompt: has(alone.text),
          start: has(start.text),
          both: has(`${start.text}\n${afterStart.text}`),
          promptTokens: alone.tokens,
          startTokens: start.tokens,
        };
        if (verbose && !result.prompt)
          console.error(
            `${result.isKept ? 'MISS' : 'lost'} ${name}: ${asks}\n    ${says}\n${indent(alone.text)}`,
          );
        return result;
      });
      const unrelated = expects.unrelated.map((prompt) => {
        const { text } = filled.promptFor(name, prompt);
        if (verbose && text) console.error(`DISTURBED ${name}: ${prompt}\n${indent(text)}`);
        return text !== '';
      });
      return { name, isForTuning, asked, unrelated };
    });
  } finally {
    filled.close();
  }
}

function indent(text) {
  return text
    .split('\n')
    .slice(3, -1)
    .map((line) => `      ${line}`)
    .join('\n');
}

function rowOf(name, results) {
  const asked = results.flatMap((result) => result.asked);
  const unrelated = results.flatMap((result) => result.unrelated);
  const share = (list, of) => (list.length === 0 ? 0 : list.filter(of).length / list.length);
  const mean = (list, of) =>
    list.length === 0 ? 0 : list.reduce((sum, each) => sum + of(each), 0) / list.length;
  const answered = asked.filter(({ prompt }) => prompt);
  const figures = {
    questions: asked.length,
    kept: share(asked, ({ isKept }) => isKept),
    prompt: share(asked, ({ prompt }) => prompt),
    start: share(asked, ({ start }) => start),
    both: share(asked, ({ both }) => both),
    disturbed: share(unrelated, Boolean),
    promptTokens: mean(answered, ({ promptTokens }) => promptTokens),
    startTokens: mean(asked, ({ startTokens }) => startTokens),
  };
  const percent = (value) => `${(value * 100).toFixed(0)} %`;
  return {
    cells: [
      name,
      String(figures.questions),
      ...[figures.kept, figures.prompt, figures.start, figures.both].map(percent),
      `${percent(figures.disturbed)} of ${unrelated.length}`,
      `${figures.promptTokens.toFixed(0)}, ${figures.startTokens.toFixed(0)}`,
    ],
    figures: { name, ...figures },
  };
}
