import { createHash } from 'node:crypto';
import { linesOf, openCodingSet } from './coding-set/load.mjs';
import { workFolder } from './home.mjs';

/** The values of src/context/prompt-claims.ts for a large project. */
const MOST = 3;
const LOOKED_AT = 12;
const KINDS = ['observation', 'note'];

/** What agents are given with a prompt: how much of it is right, and how often they are given what they need. */
export async function measure() {
  const set = await openCodingSet(workFolder());
  const { memories: PUSH_THRESHOLD } = set.product.PUSH_THRESHOLD;
  const prompts = linesOf('prompts.jsonl').map((prompt) => ({
    ...prompt,
    hits: hitsFor(set, prompt),
    given: givenWith(set, prompt),
  }));
  set.close();
  const halves = {
    tuning: prompts.filter(({ id }) => isForTuning(id)),
    reported: prompts.filter(({ id }) => !isForTuning(id)),
  };
  const thresholds = [...new Set([...range(0.1, 0.95, 0.05), PUSH_THRESHOLD])].sort((a, b) => a - b);
  const rows = thresholds.map((threshold) => ({
    threshold,
    tuning: judge(halves.tuning, threshold),
    reported: judge(halves.reported, threshold),
  }));
  const given = {
    tuning: judgeGiven(halves.tuning),
    reported: judgeGiven(halves.reported),
  };
  return {
    title: 'Pushed at prompt time',
    columns: ['threshold', ...['tuning half', 'other half'].flatMap((half) => columnsOf(half))],
    rows: [
      {
        cells: ['claims as given', ...cellsOf(given.tuning), ...cellsOf(given.reported)],
        figures: { threshold: null, ...given },
      },
      ...rows.map((row) => ({
        cells: [
          `${row.threshold.toFixed(2)}${row.threshold === PUSH_THRESHOLD ? ' (default)' : ''}`,
          ...cellsOf(row.tuning),
          ...cellsOf(row.reported),
        ],
        figures: row,
      })),
    ],
    notes: [
      `${prompts.length} prompts, ${needing(prompts).length} of which need a memory. First row: the memories whose claims a prompt is given. Others: at most ${MOST} memories each, by the threshold of their score.`,
      'Precision: of what is pushed, the share that is right. Recall: of the prompts that need a memory, the share that gets one that is right. Disturbed: of those that need none, the share that gets one nevertheless.',
      'The threshold is chosen on the tuning half; the other half tells what it is worth.',
    ],
  };
}

function hitsFor(set, { text, group }) {
  if (!set.product.isWorthLookingUp(text)) return [];
  return set.ask(text, group, { ...pushRequest(set, text), breadth: set.product.QUICK_BREADTH });
}

export function pushRequest(set, text) {
  return { kinds: KINDS, files: set.product.findFileNames(text), branch: 'main', limit: LOOKED_AT };
}

function givenWith(set, { text, group }) {
  const { isWorthLookingUp, selectForPrompt } = set.product;
  if (!isWorthLookingUp(text)) return [];
  const offers = selectForPrompt(set.store, set.contextFor(group), text, {
    whole: new Set(),
    claims: new Map(),
  });
  return offers.map(({ shown }) => set.documentOf.get(shown.memoryId));
}

function judgeGiven(prompts) {
  return judgeSome(prompts.map(({ relevant, given }) => ({ relevant, docs: given })));
}

function judge(prompts, threshold) {
  return judgeSome(
    prompts.map(({ hits, relevant }) => ({
      relevant,
      docs: hits
        .filter(({ score }) => score >= threshold)
        .slice(0, MOST)
        .map(({ doc }) => doc),
    })),
  );
}

function judgeSome(prompts) {
  const pushed = prompts.map(({ relevant, docs }) => ({
    relevant,
    some: docs.length,
    right: docs.filter((doc) => relevant.includes(doc)).length,
  }));
  const sum = (part) => pushed.reduce((total, each) => total + each[part], 0);
  const inNeed = needing(pushed);
  const inPeace = pushed.filter(({ relevant }) => relevant.length === 0);
  return {
    pushed: sum('some'),
    precision: sum('some') === 0 ? 1 : sum('right') / sum('some'),
    recall: inNeed.filter(({ right }) => right > 0).length / inNeed.length,
    disturbed: inPeace.filter(({ some }) => some > 0).length / inPeace.length,
  };
}

function needing(prompts) {
  return prompts.filter(({ relevant }) => relevant.length > 0);
}

export function isForTuning(id) {
  return createHash('sha256').update(id).digest()[0] % 2 === 0;
}

function columnsOf(half) {
  return [`${half}: precision`, 'recall', 'disturbed'];
}

function cellsOf({ precision, recall, disturbed }) {
  return [precision, recall, disturbed].map((share) => share.toFixed(2));
}

function range(from, to, step) {
  return Array.from({ length: Math.round((to - from) / step) + 1 }, (_, index) =>
    Number((from + index * step).toFixed(2)),
  );
}
