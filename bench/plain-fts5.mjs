// What SQLite's full text search finds without recall, with stems and with identifiers split into words.

const MOST_WORDS = 60;

/** `find(text, group, limit)` returns the ids of the group's best documents for any of the words, ordered by bm25(). */
export function openPlainIndex(product, path, documents) {
  const db = product.openDatabase(path);
  db.exec('PRAGMA synchronous = OFF');
  const indexes = new Map();
  for (const group of new Set(documents.map((document) => document.group))) {
    const own = documents.filter((document) => document.group === group);
    const table = `plain_${indexes.size}`;
    db.exec(`CREATE VIRTUAL TABLE ${table} USING fts5(words, tokenize = 'porter unicode61')`);
    const add = db.prepare(`INSERT INTO ${table} (rowid, words) VALUES (?, ?)`);
    product.inTransaction(db, () => {
      for (const [index, document] of own.entries()) add.run(index + 1, splitNames(textOf(document)));
    });
    const search = db.prepare(`SELECT rowid FROM ${table} WHERE ${table} MATCH ? ORDER BY rank LIMIT ?`);
    indexes.set(group, { search, ids: own.map(({ id }) => id) });
  }
  return {
    find(text, group, limit) {
      const { search, ids } = indexes.get(group) ?? {};
      const words =
        splitNames(text)
          .match(/[\p{L}\p{N}]+/gu)
          ?.slice(0, MOST_WORDS) ?? [];
      if (!search || words.length === 0) return [];
      const match = [...new Set(words)].map((word) => `"${word}"`).join(' OR ');
      return search.all(match, limit).map(({ rowid }) => ids[rowid - 1]);
    },
    close: () => db.close(),
  };
}

function textOf({ title, text, facts, concepts, files, symbols, speaker }) {
  return [title, text, facts, concepts, files, symbols, speaker].flat().filter(Boolean).join('\n');
}

/** `getUserName` → `getUserName get User Name`. The tokeniser splits at everything else. */
function splitNames(text) {
  return text.replace(
    /\p{L}*\p{Ll}\p{Lu}\p{L}*/gu,
    (name) => `${name} ${name.replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')}`,
  );
}
