import fs from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import { loadParts } from '../product.mjs';
import { fillStore, timeOf } from '../recall-store.mjs';

const DAY = 86_400_000;

export function loadRecall() {
  return loadParts(`
    export { updateIndex } from './src/indexing/update-index.ts';
    export { FEATURES, TITLED_FEATURES } from './src/recall/features/list.ts';
    export { gatherCandidates } from './src/recall/gather-candidates.ts';
    export { orderCandidates } from './src/recall/rank.ts';
    export { inTransaction, openDatabase } from './src/store/sqlite/open.ts';
    export { openSqliteStore } from './src/store/sqlite/sqlite-store.ts';`);
}

/** What `use` makes of each question: of what recall looked at for it, and whether a match is meant. */
export function askEach(product, { documents, questions }, use) {
  const home = fs.mkdtempSync(join(os.tmpdir(), 'cairn-training-'));
  try {
    const path = join(home, 'cairn.db');
    const { projects, documentOf } = fillStore(product, path, documents);
    const store = product.openSqliteStore(path);
    product.updateIndex(store);
    const last = new Map();
    for (const document of documents)
      last.set(document.group, Math.max(last.get(document.group) ?? 0, timeOf(document)));
    const used = questions.map((question) => {
      const { text, group, relevant } = question;
      const now = last.get(group) + DAY;
      const request = { text, projectId: projects.get(group), reach: 'project', limit: 20, now };
      const isMeant = ({ doc }) => relevant.includes(documentOf.get(Math.floor(doc.id / 2)));
      return use(product.gatherCandidates(store, request), isMeant, question);
    });
    store.close();
    return used;
  } finally {
    fs.rmSync(home, { recursive: true, force: true });
  }
}
