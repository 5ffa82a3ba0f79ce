// node fill-memories.mjs <home> <memories> <project folder …>: stores sessions and their memories as the worker would,
// including the index. A separate program, because it leaves much behind in memory.

import { PARTS } from './parts.mjs';
import { loadProduct } from './product.mjs';

const [home, count, ...projects] = process.argv.slice(2);
const product = await loadProduct();
const TYPES = ['decision', 'bugfix', 'gotcha', 'feature', 'refactor', 'change', 'discovery', 'how-it-works'];
const VERBS = [
  'drops',
  'doubles',
  'delays',
  'rounds',
  'sorts',
  'locks',
  'retries',
  'escapes',
  'merges',
  'loads',
];
const THINGS = [
  'entries',
  'headers',
  'prices',
  'tokens',
  'images',
  'events',
  'rows',
  'dates',
  'names',
  'files',
];
const PER_SESSION = 10;

const { database } = product.pathsOf(home);
const store = product.openSqliteStore(database);
const now = Date.now();
const sessions = Math.ceil(Number(count) / PER_SESSION);
const places = projects.map((folder) => product.findPlace(folder));
store.ingest(
  Array.from({ length: sessions }, (_, number) => sessionStart(number)),
  now,
);
for (const { id } of store.listJobs()) store.dropJobs(id);
addMemories();
product.updateIndex(store);
const log = product.createLog({ folder: '', level: 'off', from: 'bench' });
product.followEvents(store, { log, now });
store.checkpointWal();
store.close();

function sessionStart(number) {
  const name = `past-${number}.start`;
  const at = now - (sessions - number) * 600_000;
  const head = { agent: 'claude-code', via: 'settings', at };
  const event = {
    kind: 'session-start',
    sessionId: `past-${number}`,
    source: 'startup',
    cwd: projects[number % projects.length],
  };
  const captured = { ...head, event, priority: 'normal', spoolName: name };
  return { ...head, name, hook: 'SessionStart', place: places[number % places.length], events: [captured] };
}

function addMemories() {
  const db = product.openDatabase(database);
  const sessionRows = db
    .prepare('SELECT id, project_id AS project, last_seen AS at FROM sessions ORDER BY id')
    .all();
  product.inTransaction(db, () => {
    const add = db.prepare(`
      INSERT INTO memories (kind, type, title, subtitle, narrative, facts, concepts, parts, tokens, session_id, project_id,
        branch, commit_id, distiller, at, changed_at)
      VALUES (?, ?, ?, '', ?, ?, ?, ?, ?, ?, ?, ?, 'abc', 'offline', ?, ?)`);
    const addFile = db.prepare('INSERT INTO memory_files (memory_id, path, how) VALUES (?, ?, ?)');
    for (let number = 0; number < Number(count); number++) {
      const session = sessionRows[Math.floor(number / PER_SESSION)];
      const row = number % PER_SESSION === PER_SESSION - 1 ? summary(number) : observation(number);
      const at = session.at + (number % PER_SESSION) * 30_000;
      const { lastInsertRowid: id } = add.run(
        row.kind,
        row.type,
        row.title,
        row.narrative,
        row.facts,
        '[]',
        row.parts,
        60,
        session.id,
        session.project,
        number % 7 ? 'main' : `work-${number % 50}`,
        at,
        at,
      );
      addFile.run(id, `src/${pick(PARTS, number)}/part-${number % 400}.ts`, 'write');
    }
  });
  db.close();
}

function observation(number) {
  const about = `${pick(PARTS, number)} ${pick(VERBS, number / 10)} ${pick(THINGS, number / 100)}`;
  return {
    kind: 'observation',
    type: number % 500 === 0 ? 'preference' : pick(TYPES, number / 3),
    title: `The ${about} when case ${number} comes first`,
    narrative: `Seen in case ${number}: the ${about} because the ${pick(PARTS, number / 7)} is asked before it is ready.`,
    facts: JSON.stringify([
      `part-${number % 400}.ts decides it`,
      `${pick(THINGS, number / 11)} are kept for ${number % 60} minutes`,
    ]),
    parts: null,
  };
}

function summary(number) {
  const request = `look at the ${pick(PARTS, number)} and case ${number}`;
  const parts = {
    request,
    investigated: '',
    learned: '',
    completed: `The ${pick(PARTS, number)} no longer ${pick(VERBS, number / 10)} ${pick(THINGS, number)}.`,
    nextSteps: number % 30 === 9 ? `Try case ${number} with real ${pick(THINGS, number / 9)}` : '',
    notes: '',
    filesRead: [],
    filesModified: [],
  };
  return {
    kind: 'summary',
    type: null,
    title: request,
    narrative: '',
    facts: '[]',
    parts: JSON.stringify(parts),
  };
}

function pick(words, number) {
  return words[Math.floor(number) % words.length];
}
