import { openFollowUpStore } from './follow-ups/fill.mjs';
import { MORE_UNRELATED } from './follow-ups/unrelated.mjs';
import { workFolder } from './home.mjs';
import { loadParts } from './product.mjs';

const PARTS = `
  export { createBudget } from './src/context/budget.ts';
  export { isWorthLookingUp, PROMPT_INTRO, selectForPrompt } from './src/context/prompt.ts';
  export { joinOffers } from './src/context/offers.ts';
  export { buildStart } from './src/context/start/start.ts';
  export { loadSettings } from './src/config/settings.ts';
  export { readEnvironment } from './src/config/environment.ts';
  export { listCorrected } from './src/distill/corrections/correct-session.ts';
  export { saveResult } from './src/distill/distill-turn.ts';
  export { distillOffline } from './src/distill/offline/distill.ts';
  export { tokenise } from './src/indexing/tokenise.ts';
  export { asksSomething, readPromptWords } from './src/recall/prompt-words.ts';
  export { isEveryday } from './src/recall/claims/word-weight.ts';
  export { listClaims } from './src/indexing/claims.ts';
  export { updateIndex } from './src/indexing/update-index.ts';
  export { openDatabase } from './src/store/sqlite/open.ts';
  export { openSqliteStore } from './src/store/sqlite/sqlite-store.ts';
  export { surveyBatches } from './test/distill/all.ts';
  export { readScriptTurns } from './test/distill/script-turns.ts';
  export { absent } from './test/distill/words.ts';
`;

/** How many other memories the project of a session has. */
export const SETTINGS = [
  { name: 'one session in a project', together: 1, padding: 0 },
  { name: 'three sessions in a project', together: 3, padding: 0 },
  // Not every session, because filling takes long.
  { name: 'a session and 240 other memories', together: 1, padding: 240, every: 4 },
  { name: 'a session and 2,000 other memories', together: 1, padding: 2_000, every: 8 },
];

/** The settings chosen by `--settings 0,2`. */
export function settingsOf(args) {
  const at = args.indexOf('--settings');
  return at < 0 ? SETTINGS.slice(0, 3) : args[at + 1].split(',').map((number) => SETTINGS[number]);
}

/** Whether the context that an agent gets answers questions asked weeks later. */
export async function measure({ verbose }) {
  const { product, sessions } = await loadSessions();
  const rows = SETTINGS.map((setting) =>
    rowOf(setting.name, measureSetting(product, sessions, setting, verbose)),
  );
  return {
    title: 'Follow-up questions answered by what an agent is given',
    columns: [
      'memory',
      'questions',
      'kept',
      'prompt alone',
      'shared word',
      'no shared word',
      'start alone',
      'start + prompt',
      'disturbed',
      'general tasks',
      'general questions',
      'claims',
      'tokens',
    ],
    rows,
    notes: [
      `${sessions.length} sessions. Kept: some memory says it. Shared word: the prompt alone, of the questions that have a telling word of a claim that answers them. Disturbed: of the unrelated prompts, the share that gets anything; general tasks and questions are those of unrelated.json. Claims and tokens: with an answered prompt, tokens also at a start.`,
      'The weights were learnt on these sessions: node bench/follow-ups/calibrate.mjs prints the figures of sessions that were not learnt from.',
    ],
  };
}

/** The sessions that the distiller may be tuned on, with the turns of their scripts. */
export async function loadSessions() {
  const product = await loadParts(PARTS);
  const written = product.surveyBatches.flatMap((batch, author) =>
    batch.map((session) => ({ session, author })),
  );
  const sessions = written.map(({ session, author }) => ({
    name: session.name,
    language: session.language,
    author,
    turns: product.readScriptTurns(session).map((turn, index) => ({ prompt: index + 1, pieces: [turn] })),
    expects: session.expects,
  }));
  return { product, sessions };
}

function measureSetting(product, sessions, { together, padding, every = 1 }, verbose) {
  const wanted = sessions.filter((_, index) => index % every === 0);
  const filled = openFollowUpStore(product, sessions, { folder: workFolder(), together, padding, wanted });
  const isGiven = (name, prompt) => {
    const { text } = filled.promptFor(name, prompt);
    if (verbose && text) console.error(`DISTURBED ${name}: ${prompt}\n${indent(text)}`);
    return text !== '';
  };
  try {
    return wanted.map(({ expects, name, language }) => {
      const general = MORE_UNRELATED[language] ?? [];
      return {
        name,
        asked: expects.followUps.map((followUp) => ask(product, filled, name, followUp, verbose)),
        unrelated: expects.unrelated.map((prompt) => isGiven(name, prompt)),
        tasks: general
          .filter((prompt) => !product.asksSomething(prompt))
          .map((prompt) => isGiven(name, prompt)),
        questions: general.filter(product.asksSomething).map((prompt) => isGiven(name, prompt)),
      };
    });
  } finally {
    filled.close();
  }
}

function ask(product, filled, name, { asks, says }, verbose) {
  const start = filled.startFor(name);
  const alone = filled.promptFor(name, asks);
  const afterStart = filled.promptAfterStart(name, asks);
  const has = (text) => product.absent(says, text).length === 0;
  const result = {
    isKept: has(filled.everythingOf(name)),
    shares: sharesWord(product, filled.claimsOf(name).filter(has), asks),
    prompt: has(alone.text),
    start: has(start.text),
    both: has(`${start.text}\n${afterStart.text}`),
    claims: alone.claims,
    promptTokens: alone.tokens,
    startTokens: start.tokens,
  };
  if (verbose && !result.prompt)
    console.error(`${result.isKept ? 'MISS' : 'lost'} ${name}: ${asks}\n    ${says}\n${indent(alone.text)}`);
  return result;
}

/** Whether an answering claim contains a telling word of the question; null if no single claim answers it. */
function sharesWord(product, answers, asks) {
  if (answers.length === 0) return null;
  const telling = product
    .readPromptWords(asks)
    .filter((word) => !product.isEveryday(word))
    .flatMap(({ terms }) => terms);
  return answers.some((text) => {
    const tokens = new Set(product.tokenise(text));
    return telling.some((term) => tokens.has(term));
  });
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
  const given = (kind) => results.flatMap((result) => result[kind]);
  const unrelated = given('unrelated');
  const share = (list, of) => (list.length === 0 ? 0 : list.filter(of).length / list.length);
  const mean = (list, of) =>
    list.length === 0 ? 0 : list.reduce((sum, each) => sum + of(each), 0) / list.length;
  const answered = asked.filter(({ prompt }) => prompt);
  const figures = {
    asked: asked.length,
    kept: share(asked, ({ isKept }) => isKept),
    prompt: share(asked, ({ prompt }) => prompt),
    shared: share(
      asked.filter(({ shares }) => shares === true),
      ({ prompt }) => prompt,
    ),
    notShared: share(
      asked.filter(({ shares }) => shares === false),
      ({ prompt }) => prompt,
    ),
    start: share(asked, ({ start }) => start),
    both: share(asked, ({ both }) => both),
    disturbed: share(unrelated, Boolean),
    tasks: share(given('tasks'), Boolean),
    questions: share(given('questions'), Boolean),
    claims: mean(answered, ({ claims }) => claims),
    promptTokens: mean(answered, ({ promptTokens }) => promptTokens),
    startTokens: mean(asked, ({ startTokens }) => startTokens),
  };
  const percent = (value) => `${(value * 100).toFixed(0)} %`;
  return {
    cells: [
      name,
      String(figures.asked),
      ...['kept', 'prompt', 'shared', 'notShared', 'start', 'both'].map((name) => percent(figures[name])),
      `${percent(figures.disturbed)} of ${unrelated.length}`,
      percent(figures.tasks),
      percent(figures.questions),
      figures.claims.toFixed(1),
      `${figures.promptTokens.toFixed(0)}, ${figures.startTokens.toFixed(0)}`,
    ],
    figures: { name, ...figures },
  };
}
