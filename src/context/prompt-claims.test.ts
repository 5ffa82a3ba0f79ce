import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { tempFolder } from '../../test/support/temp.ts';
import { redactValue } from '../capture/redact/redact-value.ts';
import { readEnvironment } from '../config/environment.ts';
import { loadSettings } from '../config/settings.ts';
import { updateIndex } from '../indexing/update-index.ts';
import { type Database, openDatabase } from '../store/sqlite/open.ts';
import { openSqliteStore } from '../store/sqlite/sqlite-store.ts';
import type { Store } from '../store/store.ts';
import { selectForPrompt } from './prompt.ts';

const NOW = Date.UTC(2026, 10, 16, 9);
const KNOWN: [title: string, fact: string][] = [
  [
    'Redis login fails on staging after a helm upgrade',
    'The password was passed with --set, and helm drops it.',
  ],
  [
    'Redis on staging wants TLS since March',
    'Clients whose address begins with redis:// are refused at login.',
  ],
  [
    'Snapshot loading delays the staging login',
    'While redis reads its dump, every login waits up to 40 seconds.',
  ],
  [
    'helm upgrade replaces the redis replica first',
    'On staging the primary follows only after a confirmation.',
  ],
  [
    'Too many wrong passwords block staging',
    'After ten failed logins redis refuses the address for an hour.',
  ],
  ['Staging and the demo shop share one redis', 'An upgrade of either one logs out the users of both.'],
];

let folder: string;
let db: Database;
let store: Store;

beforeEach(() => {
  folder = tempFolder();
  db = openDatabase(join(folder, 'cairn.db'));
  store = openSqliteStore(join(folder, 'cairn.db'));
  db.exec("INSERT INTO projects (id, name, created_at) VALUES (1, 'shop', 0)");
  for (const [title, fact] of KNOWN) remember(title, [fact]);
});
afterEach(() => {
  store.close();
  db.close();
});

test('gives at most three claims, and none for an unrelated prompt', () => {
  updateIndex(store);
  expect(give('redis login fails on staging since the last helm upgrade, seen this before?')).toHaveLength(3);
  expect(give('write a regular expression that matches ISO dates')).toEqual([]);
});

test('gives the rule about a name in the prompt, but not about a similar name', () => {
  remember('ventas_raw is a legal copy, corrections go to ventas_fix', []);
  updateIndex(store);
  expect(give('correct some rows in ventas_raw, write the UPDATE')).toEqual([
    expect.stringContaining('ventas_raw is a legal copy'),
  ]);
  expect(give('correct some rows in orders_raw, write the UPDATE')).toEqual([]);
});

test('finds a claim by a related word, also in another language', () => {
  remember('The importer may not have a rate limit, the ERP repeats every 429', []);
  updateIndex(store);
  const rule = [expect.stringContaining('The importer may not have a rate limit')];
  expect(give('may I throttle the importer?')).toEqual(rule);
  expect(give('darf ich das jetzt einfach drosseln?')).toEqual(rule);
});

test('gives no rule that only shares a part of a name, a number or an acronym', () => {
  remember('wait_for_async_insert must be 1, or rows are lost when the server dies', []);
  remember('Do not raise the limit to 3000 again, merging fell behind', []);
  remember('The bank reads ISO-8859-1 only', []);
  updateIndex(store);
  expect(give('convert this callback code to async/await')).toEqual([]);
  expect(give('add port 3000 to the compose file')).toEqual([]);
  expect(give('write a regular expression that matches ISO dates')).toEqual([]);
});

function give(prompt: string): string[] {
  const session: string = 'new';
  const { settings } = loadSettings(join(folder, 'no settings'), readEnvironment({}));
  const offers = selectForPrompt(
    store,
    {
      ...{
        project: { id: 1, name: 'shop' },
        top: folder,
        worktree: null,
        now: NOW,
        longest: 10_000,
        settings,
      },
      ...{
        branches: { current: 'main', main: 'main' },
        agent: 'claude-code',
        agentSession: redactValue(session),
      },
    },
    redactValue(prompt),
    { whole: new Set(), claims: new Map() },
  );
  return offers.flatMap(({ text }) => text.split('\n')).filter((line) => /^[#-]/.test(line));
}

function remember(title: string, facts: string[]): void {
  db.prepare(`
    INSERT INTO memories (kind, type, title, subtitle, narrative, facts, concepts, tokens, project_id, distiller, at,
      changed_at)
    VALUES ('observation', 'gotcha', ?, '', '', ?, '[]', 0, 1, 'test', ?, 0)`).run(
    title,
    JSON.stringify(facts),
    NOW - 86_400_000,
  );
}
