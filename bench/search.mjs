import fs from 'node:fs';
import { join } from 'node:path';
import { workFolder } from './home.mjs';
import { loadProduct } from './product.mjs';
import { milliseconds, times, whole } from './table.mjs';

const SIZES = [1_000, 10_000, 100_000];
const MILLION = 1_000_000;
const QUERIES = 200;
const PER_SESSION = 12;
/** The first of ten projects has half of all memories, as is common. */
const PROJECTS = 10;
const MOST_RATIO = 3;
const MOST_MS = 5;

/** Search over synthetic memories, compared with the bare full text query for the same words on the same table. */
export async function measure({ million, say }) {
  const product = await loadProduct();
  const rows = [];
  for (const size of million ? [...SIZES, MILLION] : SIZES) {
    say(`  ${whole(size)} memories …`);
    rows.push(rowOf(size, measureSize(product, size)));
  }
  return {
    title: 'Search',
    columns: [
      'memories',
      ...[
        'bare FTS5 p50',
        'p95',
        'recall p50',
        'p95',
        '× bare p95',
        'index a memory',
        'indexed a second',
        'rebuilt a second',
        'target',
      ],
    ],
    rows,
    notes: [
      `${QUERIES} questions of 2 to 6 words, in the project that holds half of all memories; bare FTS5: the same words, OR, best 20.`,
      `Target at 100,000: at most ${MOST_RATIO} × the bare query, or ${MOST_MS} ms, at p95.`,
    ],
  };
}

function measureSize(product, size) {
  const folder = workFolder();
  const path = join(folder, 'search.db');
  const random = numbers(size);
  const words = vocabulary(random);
  fill(product, path, size, random, words);
  const db = product.openDatabase(path);
  db.exec('VACUUM; PRAGMA wal_checkpoint(TRUNCATE)');
  const bytesBefore = fs.statSync(path).size;
  const store = product.openSqliteStore(path);
  const indexMs = timed(() => product.updateIndex(store));
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  const indexBytes = fs.statSync(path).size - bytesBefore;

  const bare = db.prepare('SELECT rowid FROM search_words WHERE search_words MATCH ? ORDER BY rank LIMIT 20');
  const bareMs = [];
  const recallMs = [];
  for (let number = -20; number < QUERIES; number++) {
    const asked = Array.from({ length: 2 + Math.floor(random() * 5) }, () => pick(words, random));
    const match = asked.map((word) => `"${word}"`).join(' OR ');
    const spent = [
      timed(() => bare.all(match)),
      timed(() =>
        product.recall(store, {
          text: asked.join(' '),
          projectId: 1,
          reach: 'project',
          limit: 20,
          now: Date.now(),
        }),
      ),
    ];
    if (number < 0) continue;
    bareMs.push(spent[0]);
    recallMs.push(spent[1]);
  }
  const rebuildMs = timed(() => product.rebuildIndex(store));
  store.close();
  db.close();
  fs.rmSync(folder, { recursive: true, force: true });
  return {
    bare: spread(bareMs),
    recall: spread(recallMs),
    bytesPerMemory: indexBytes / size,
    indexedPerSecond: (size / indexMs) * 1_000,
    rebuiltPerSecond: (size / rebuildMs) * 1_000,
  };
}

function rowOf(size, figures) {
  const { bare, recall, bytesPerMemory, indexedPerSecond, rebuiltPerSecond } = figures;
  const ratio = recall.p95 / bare.p95;
  const isMet = ratio <= MOST_RATIO || recall.p95 <= MOST_MS;
  const verdict = size === 100_000 ? (isMet ? 'met' : 'above target') : '';
  return {
    cells: [
      whole(size),
      ...[bare.p50, bare.p95, recall.p50, recall.p95].map(milliseconds),
      times(ratio),
      `${whole(bytesPerMemory)} B`,
      whole(indexedPerSecond),
      whole(rebuiltPerSecond),
      verdict,
    ],
    figures: { size, ...figures, ratio, verdict },
  };
}

function fill(product, path, size, random, words) {
  const db = product.openDatabase(path);
  db.exec('PRAGMA synchronous = OFF');
  product.inTransaction(db, () => {
    for (let number = 1; number <= PROJECTS; number++)
      db.prepare('INSERT INTO projects (id, name, created_at) VALUES (?, ?, 0)').run(
        number,
        `project-${number}`,
      );
    const addSession = db.prepare(`
      INSERT INTO sessions (id, agent, agent_session, project_id, first_seen, last_seen)
      VALUES (?, 'bench', ?, ?, 0, 0)`);
    const addMemory = db.prepare(`
      INSERT INTO memories (kind, type, title, subtitle, narrative, facts, concepts, tokens, session_id, project_id,
        branch, distiller, at, changed_at)
      VALUES ('observation', 'change', ?, '', ?, '[]', '[]', 0, ?, ?, 'main', 'bench', ?, 0)`);
    const addFile = db.prepare("INSERT INTO memory_files (memory_id, path, how) VALUES (?, ?, 'write')");
    const start = Date.now() - size * 60_000;
    for (let number = 0; number < size; number++) {
      const session = 1 + Math.floor(number / PER_SESSION);
      const project = session % 2 === 0 ? 1 : 1 + (session % PROJECTS);
      if (number % PER_SESSION === 0) addSession.run(session, `session-${session}`, project);
      const title = sentence(words, 6, random);
      const text = sentence(words, 20 + Math.floor(random() * 40), random);
      const { lastInsertRowid: id } = addMemory.run(title, text, session, project, start + number * 60_000);
      addFile.run(id, `src/${pick(words, random)}/${pick(words, random)}.ts`);
    }
  });
  db.close();
}

const WORDS = 30_000;

/** Words of random syllables, none of them a stop word. */
function vocabulary(random) {
  const syllables = 'ba de fi go ku la me no pi qua ro su te vu xa zor lin mar tek dol'.split(' ');
  const words = new Set();
  while (words.size < WORDS)
    words.add(
      Array.from({ length: 2 + Math.floor(random() * 3) }, () => syllables[Math.floor(random() * 20)]).join(
        '',
      ),
    );
  return [...words];
}

/** Zipf's law: the second word is half as frequent as the first, the third a third as frequent, and so on. */
function pick(words, random) {
  return words[Math.floor(WORDS ** random()) - 1] ?? words[0];
}

function sentence(words, length, random) {
  return Array.from({ length }, () => pick(words, random)).join(' ');
}

function timed(work) {
  const began = performance.now();
  work();
  return performance.now() - began;
}

function spread(all) {
  const sorted = all.toSorted((a, b) => a - b);
  return { p50: sorted[Math.floor(sorted.length * 0.5)], p95: sorted[Math.floor(sorted.length * 0.95)] };
}

/** A fixed sequence of pseudo-random numbers from 0 to 1. */
function numbers(seed) {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}
