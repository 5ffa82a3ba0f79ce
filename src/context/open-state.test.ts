import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { tempFolder } from '../../test/support/temp.ts';
import { updateIndex } from '../indexing/update-index.ts';
import { recall } from '../recall/recall.ts';
import { type Database, openDatabase } from '../store/sqlite/open.ts';
import { openSqliteStore } from '../store/sqlite/sqlite-store.ts';
import type { Store } from '../store/store.ts';
import { presentHits } from './present-hits.ts';

const DAY = 86_400_000;
const NOW = new Date(2026, 5, 15, 12).getTime();
const ASKED = 'uploader retry PUT';

let db: Database;
let store: Store;

beforeEach(() => {
  const path = join(tempFolder(), 'cairn.db');
  store = openSqliteStore(path);
  db = openDatabase(path);
  db.prepare("INSERT INTO projects (id, name, created_at) VALUES (1, 'shop', 0)").run();
  for (let number = 0; number < 30; number++)
    insert({ title: `Filler ${number}`, narrative: `About matter ${number} of the depot`, daysAgo: 90 });
});
afterEach(() => {
  db.close();
  store.close();
});

test.each([
  {
    name: 'is open if no later memory is about it',
    later: [{ title: 'The uploader logs its chunks', narrative: 'Chunk numbers are logged.' }],
    shown: [['Network errors in the uploader', 'open']],
  },
  {
    name: 'is replaced by a later memory that says it was done',
    later: [{ title: 'The uploader retries PUT three times', narrative: 'With a pause between.' }],
    shown: [['The uploader retries PUT three times', 'resolves #31']],
  },
  {
    name: 'stays open if a later memory asks the same',
    later: [{ title: 'Should the uploader retry PUT?', narrative: '' }],
    shown: [
      ['Should the uploader retry PUT?', 'open'],
      ['Network errors in the uploader', 'open'],
    ],
  },
  {
    name: 'stays open if a later summary only requests it',
    later: [{ title: 'retry PUT in the uploader', request: 'retry PUT in the uploader', daysAgo: 1 }],
    shown: [['Network errors in the uploader', 'open']],
  },
])('a next step $name', ({ later, shown }) => {
  insert({
    ...{ title: 'Network errors in the uploader', request: 'look at the errors', daysAgo: 9 },
    nextSteps: 'Retry PUT in the uploader, as GET does.',
  });
  for (const memory of later) insert({ daysAgo: 2, ...memory });
  expect(search(ASKED).filter(([title]) => shown.some(([known]) => known === title))).toEqual(shown);
});

interface PastMemory {
  title: string;
  narrative?: string;
  request?: string;
  nextSteps?: string;
  daysAgo: number;
}

function insert({ title, narrative = '', request, nextSteps = '', daysAgo }: PastMemory): void {
  const empty = { investigated: '', learned: '', completed: '', notes: '', filesRead: [], filesModified: [] };
  const parts = request === undefined ? null : JSON.stringify({ ...empty, request, nextSteps });
  db.prepare(`
    INSERT INTO memories (kind, type, title, subtitle, narrative, facts, concepts, parts, tokens, project_id, distiller,
      at, changed_at, scope, said_by, aliases)
    VALUES (?, NULL, ?, '', ?, '[]', '[]', ?, 1, 1, 'offline', ?, 0, 'project', 'distiller', '[]')`).run(
    ...[parts === null ? 'observation' : 'summary', title, narrative, parts, NOW - daysAgo * DAY],
  );
}

function search(text: string): [string, string][] {
  updateIndex(store);
  const hits = recall(store, { text, projectId: 1, reach: 'project', limit: 10, now: NOW });
  const reliable = () => ({ marks: [], weight: 1 });
  return presentHits(store, hits, reliable, { text, now: NOW })
    .filter(({ isWeaker }) => !isWeaker)
    .map(({ entry }) => [entry.title, entry.marks.join(', ')]);
}
