import { loadSessions } from '../follow-ups.mjs';
import { workFolder } from '../home.mjs';
import { loadParts } from '../product.mjs';
import { openFollowUpStore } from './fill.mjs';
import { MORE_UNRELATED } from './unrelated.mjs';

const PARTS = `
  export { createRepeatCheck, listClaims } from './src/indexing/claims.ts';
  export { rateClaims, readScope } from './src/recall/claims/find-claims.ts';
  export { dropRepeats } from './src/recall/claims/drop-repeats.ts';
  export { coverClaims } from './src/context/cover-claims.ts';
  export { asksSomething, readPromptWords } from './src/recall/prompt-words.ts';
  export { isEveryday } from './src/recall/claims/word-weight.ts';
  export { CLAIM_THRESHOLD } from './src/recall/threshold.ts';
  export { withNeighbours } from './src/context/neighbour.ts';
`;
/** Further back no claim is given; fewer are quicker to learn from. */
const LOOKED_AT = 60;

/** Every question and unrelated prompt with the signals of the claims, as the product measures them. */
export async function readExamples(settings) {
  const parts = await loadParts(PARTS);
  const { product, sessions } = await loadSessions();
  const folds = 1 + Math.max(...sessions.map(({ author }) => author));
  const found = { questions: [], unrelated: [] };
  for (const setting of settings) {
    const chosen = sessions.filter((_, index) => index % (setting.every ?? 1) === 0);
    const filled = openFollowUpStore(product, sessions, { ...setting, folder: workFolder(), wanted: chosen });
    for (const session of chosen) {
      const base = { setting: setting.name, session: session.name, fold: session.author };
      const projectId = filled.requestFor(session.name, '').project.id;
      const rate = (prompt, says) => rateFor(parts, product, filled.store, { projectId, prompt, says });
      for (const { asks, says } of session.expects.followUps) {
        const rated = rate(asks, says);
        found.questions.push({ ...base, kind: 'question', ...rated });
      }
      for (const prompt of session.expects.unrelated)
        found.unrelated.push({ ...base, kind: 'unrelated', ...rate(prompt) });
      for (const prompt of MORE_UNRELATED[session.language] ?? [])
        found.unrelated.push({
          ...base,
          kind: parts.asksSomething(prompt) ? 'questions' : 'task',
          // The same prompt is asked in many sessions: those that teach are not those that judge.
          promptFold: [...prompt].reduce((sum, letter) => sum + letter.codePointAt(0), 0) % folds,
          ...rate(prompt),
        });
    }
    filled.close();
  }
  const [first] = found.questions.filter(({ claims }) => claims.length > 0);
  return {
    folds,
    questions: found.questions.filter(({ claims }) => claims.length > 0),
    unrelated: found.unrelated.filter(({ claims }) => claims.length > 0),
    orderNames: Object.keys(first.nameAt),
    promptNames: Object.keys(first.prompt),
    threshold: parts.CLAIM_THRESHOLD.few,
  };
}

function rateFor(parts, product, store, { projectId, prompt, says }) {
  const scope = parts.readScope(store, prompt, projectId);
  const words = parts.readPromptWords(prompt);
  const rating = scope && parts.rateClaims(scope, prompt, words, { isKnown: () => false });
  if (!rating) return { claims: [] };
  const memories = new Map();
  const claimsOf = (id) => {
    if (!memories.has(id)) memories.set(id, parts.listClaims(store.getMemory(id)));
    return memories.get(id);
  };
  const answers = (text) => product.absent(says, text).length === 0;
  const claims = rating.claims.slice(0, LOOKED_AT).map(({ match, signals }) => {
    const { doc } = match;
    const text = claimsOf(doc.memoryId).find(({ position }) => position === doc.position)?.text ?? '';
    return {
      ...{ match, memoryId: doc.memoryId, position: doc.position, text },
      tokens: doc.words.split(' '),
      values: Object.values(signals),
      isRight: says !== undefined && answers(text),
    };
  });
  const telling = words.filter((word) => !parts.isEveryday(word)).flatMap(({ terms }) => terms);
  const right = claims.filter(({ isRight }) => isRight);
  return {
    claims,
    nameAt: Object.fromEntries(Object.keys(rating.claims[0].signals).map((name, at) => [name, at])),
    prompt: rating.prompt,
    text: prompt,
    shares:
      right.length === 0 ? null : right.some(({ tokens }) => telling.some((term) => tokens.includes(term))),
    isAnswered: (sorted, most) => answers(chooseTexts(parts, claimsOf, sorted, most)),
  };
}

/** Claims that are covered; some are left out because they repeat others. */
const FOUND = 12;

/** As the product gives them. */
function chooseTexts(parts, claimsOf, sorted, most) {
  const said = parts.createRepeatCheck();
  const texts = [];
  const found = parts.dropRepeats(sorted, FOUND).map((claim) => ({ ...claim, score: claim.worth }));
  for (const { memoryId, position, text } of parts.coverClaims(found, claimsOf)) {
    if (texts.length === most) break;
    if (said.isRepeated(text)) continue;
    const claims = claimsOf(memoryId);
    const claim = claims.find((each) => each.position === position);
    const together = parts.withNeighbours(claims, claim, (other) => !said.isRepeated(other.text));
    texts.push(together.map((each) => each.text).join('\n'));
    for (const each of together) said.add(each.text);
  }
  return texts.join('\n');
}
