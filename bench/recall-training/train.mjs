// node bench/recall-training/train.mjs <folder>: learns WEIGHTS in src/recall/weights.ts and prints them; what differs for
// memories with a title is learnt by train-titled.mjs.
// node bench/recall-training/train.mjs <folder> --measure [<set> …]: what each signal is worth with those weights.
// The folder holds a git directory (bare, or with a .git in it) for each name in sources.mjs. All of them are under
// licences that allow it; none of their text is kept here. LoCoMo is for measuring only and takes no part.

import { askEach, loadRecall } from './ask.mjs';
import { learnRanking } from './learn.mjs';
import { measure } from './measure.mjs';
import { loadSets } from './sources.mjs';

/** Nothing in these data tells how much they count: set by hand, for the reasons in docs/recall-measurements.md. */
const BY_HAND = {
  ...{ day: 2, recent: 0.2, branch: 0.5, otherBranch: -0.5, file: 1, pinned: 0.5, superseded: -4 },
  ...{ elsewhere: -0.5, note: 0, lasting: 0.2, summary: -0.2, prompt: 0 },
};
/**
 * Only the questions about chats ask for what the answer has in it. Those about meetings ask what people thought, with
 * "when" between two clauses, and those about commits begin with any word of asking.
 */
const KINDS_OF_ANSWER = ['number', 'time', 'name', 'cause'];

/**
 * Changed by hand after learning: questions made by rule repeat words of the turn more than people do, and replies of an
 * agent gain too much from questions that a reply answers as well as a statement. See docs/recall-measurements.md.
 */
const CHANGED_BY_HAND = { own: 1.5, byAgent: -5 };
/** Only conversations with an agent have them; the other weights are learnt without those. */
const ONLY_WITH_AGENT = ['byAgent', 'instructs'];

const [folder, mode, ...further] = process.argv.slice(2);
const product = await loadRecall();
const sets = loadSets(folder);
if (mode === '--measure') measure(product, sets, further);
else learn();

function learn() {
  const weights = learnRanking(
    product.FEATURES,
    [
      { weight: 1, questions: seen(sets.chats) },
      { weight: 1, questions: seen(sets.meetings), silent: KINDS_OF_ANSWER },
      { weight: 0.5, questions: seen(sets.commits), silent: KINDS_OF_ANSWER },
    ],
    {
      ...BY_HAND,
      ...Object.fromEntries([...product.TITLED_FEATURES, ...ONLY_WITH_AGENT].map((name) => [name, 0])),
    },
  );
  const known = product.FEATURES.filter((name) => !ONLY_WITH_AGENT.includes(name));
  const withAgent = learnRanking(
    product.FEATURES,
    [{ weight: 1, questions: seen(sets.assistant) }],
    Object.fromEntries(known.map((name) => [name, product.WEIGHTS[name]])),
  );
  for (const name of ONLY_WITH_AGENT) weights[name] = withAgent[name];
  for (const name of product.FEATURES) console.log(`  ${name}: ${weights[name].toFixed(2)},`);
  console.log('Changed by hand:', CHANGED_BY_HAND);
}

/** Each question as the ranker sees it; those to which nothing right was found teach nothing. */
function seen(set) {
  const asked = askEach(product, set, ({ found }, isMeant) =>
    found.map(({ match, features }) => ({ features, isMeant: isMeant(match) })),
  );
  return asked.filter((found) => found.some(({ isMeant }) => isMeant));
}
