import fs from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadParts } from '../product.mjs';
import { fillStore } from '../recall-store.mjs';

const DAY = 86_400_000;

export function linesOf(name) {
  return fs
    .readFileSync(fileURLToPath(new URL(name, import.meta.url)), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

/**
 * The set in a store of its own, indexed by the product.
 * `ask(text, group, request)` gives what recall finds, each hit with the id that it has in the set.
 */
export async function openCodingSet(folder) {
  const product = await loadParts(`
    export { loadSettings } from './src/config/settings.ts';
    export { readEnvironment } from './src/config/environment.ts';
    export { findFileNames } from './src/context/file-names.ts';
    export { isWorthLookingUp, selectForPrompt } from './src/context/prompt.ts';
    export { updateIndex } from './src/indexing/update-index.ts';
    export { correctQuery } from './src/recall/near-words/correct-query.ts';
    export { recallTopics } from './src/recall/recall-topics.ts';
    export { followLinks } from './src/recall/links.ts';
    export { gatherCandidates } from './src/recall/gather-candidates.ts';
    export { measureSignals } from './src/recall/calibrate.ts';
    export { CUT, findStrongHits } from './src/recall/cut.ts';
    export { QUICK_BREADTH } from './src/recall/candidates.ts';
    export { orderCandidates, rank } from './src/recall/rank.ts';
    export { PUSH_THRESHOLD } from './src/recall/threshold.ts';
    export { FEATURES } from './src/recall/features/list.ts';
    export { inTransaction, openDatabase } from './src/store/sqlite/open.ts';
    export { openSqliteStore } from './src/store/sqlite/sqlite-store.ts';`);
  const docs = linesOf('docs.jsonl');
  const path = join(folder, 'coding-set.db');
  const { projects, documentOf } = fillStore(product, path, docs);
  const store = product.openSqliteStore(path);
  product.updateIndex(store);
  const newest = new Map();
  for (const { group, at } of docs) newest.set(group, Math.max(newest.get(group) ?? 0, Date.parse(at)));

  const requestFor = (text, group, rest) => {
    const now = newest.get(group) + DAY;
    return { text, projectId: projects.get(group), reach: 'project', now, ...rest };
  };

  const inIndexOrder = (terms, group, limit) => {
    const nothing = { phrases: [], without: [], types: [], branches: [], agents: [], files: [] };
    const kinds = ['observation', 'summary', 'note'];
    const filter = { projects: [projects.get(group)], kinds, ...nothing, since: null, before: null };
    const found = store.findSearchCandidates({ any: terms, pairs: [] }, filter, limit);
    return found.map((id) => ({ doc: documentOf.get(Math.floor(id / 2)) }));
  };

  const { settings } = product.loadSettings(join(folder, 'no settings'), product.readEnvironment({}));
  return {
    product,
    store,
    /** For what hooks build in a project of the set. */
    contextFor: (group) => ({
      project: { id: projects.get(group), name: group },
      top: join(folder, 'nowhere'),
      worktree: null,
      branches: { current: 'main', main: 'main' },
      ...{ agent: 'bench', agentSession: 'bench', settings, longest: 10_000 },
      now: newest.get(group) + DAY,
    }),
    documentOf,
    ask(
      text,
      group,
      { leftOut, indexAlone, breadth, withLinks = breadth !== product.QUICK_BREADTH, ...rest },
    ) {
      const candidates = product.gatherCandidates(store, requestFor(text, group, rest), breadth);
      if (indexAlone) return inIndexOrder(candidates.question.parsed.terms, group, rest.limit);
      const follow = (from) => product.followLinks(store, from, product.orderCandidates(from, leftOut));
      return product
        .rank(withLinks ? follow(candidates) : candidates, rest.limit, { leftOut })
        .map((hit) => ({ ...hit, doc: documentOf.get(hit.id) }));
    },
    /** What a search by a person or an agent shows if no limit is given. */
    search(text, group, rest) {
      const request = requestFor(text, group, rest);
      const corrected = product.correctQuery(store, request).text;
      return product
        .recallTopics(store, { ...request, text: corrected })
        .hits.filter(({ isWeaker }) => !isWeaker)
        .map(({ id }) => documentOf.get(id));
    },
    /** With links, as a search has them before they are cut. */
    candidates(text, group, rest) {
      const candidates = product.gatherCandidates(store, requestFor(text, group, rest));
      if (candidates.question.parsed.terms.length === 0) return candidates;
      return product.followLinks(store, candidates, product.orderCandidates(candidates));
    },
    /** What the calibration goes by, for each hit. */
    signs(text, group, rest) {
      const candidates = this.candidates(text, group, rest);
      return product.measureSignals(
        candidates.question,
        candidates.memories,
        product.orderCandidates(candidates).slice(0, rest.limit),
      );
    },
    close: () => store.close(),
  };
}
