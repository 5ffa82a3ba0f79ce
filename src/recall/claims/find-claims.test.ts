import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { tempFolder } from '../../../test/support/temp.ts';
import { updateIndex } from '../../indexing/update-index.ts';
import { type Database, openDatabase } from '../../store/sqlite/open.ts';
import { openSqliteStore } from '../../store/sqlite/sqlite-store.ts';
import type { Store } from '../../store/store.ts';
import { CLAIM_THRESHOLD } from '../threshold.ts';
import { findClaims } from './find-claims.ts';

let db: Database;
let store: Store;

beforeEach(() => {
  const path = join(tempFolder(), 'cairn.db');
  db = openDatabase(path);
  store = openSqliteStore(path);
  db.exec("INSERT INTO projects (id, name, created_at) VALUES (1, 'shop', 0)");
  remember('gotcha', 'Redis login fails after a helm upgrade', [
    'The password was passed with --set once, and helm upgrade drops what the values file does not have.',
  ]);
  remember('decision', 'Grace period of 45 s', [
    'terminationGracePeriodSeconds is 45: the measured drain takes 38 s.',
    'The platform kills pods after 60 s, whatever the grace period says.',
  ]);
  remember('change', 'Runbook', ['docs/runbook.md names the deploy command.']);
  updateIndex(store);
});
afterEach(() => {
  store.close();
  db.close();
});

test.each([
  ['redis login fails on staging right after a helm upgrade, seen this before?', [1, 1]],
  ['may I raise terminationGracePeriodSeconds to 90?', [2, 2]],
])('%j is answered', (prompt, [memoryId, position]) => {
  const { likelihood, claims } = find(prompt);
  expect(likelihood).toBeGreaterThan(CLAIM_THRESHOLD.few);
  expect(claims[0]).toMatchObject({ memoryId, position });
});

test.each([
  'add a dark theme to the operator dashboard',
  'write a github workflow that lints the yaml files on every pull request',
  'please fix the typos in the README',
])('%j is not disturbed', (prompt) => {
  expect(find(prompt).likelihood).toBeLessThan(CLAIM_THRESHOLD.few);
});

test('a question is answered with less evidence than a task', () => {
  expect(find('deploy: which grace period?').likelihood).toBeGreaterThan(
    find('deploy: shorten the grace period').likelihood,
  );
});

test('what the session knows is not found again, and does not count as the best', () => {
  const prompt = 'redis login fails after the helm upgrade, why?';
  const found = findClaims(store, prompt, { projectId: 1, isKnown: (id) => id === 1 });
  expect(found.claims.map(({ memoryId }) => memoryId)).not.toContain(1);
  expect(found.likelihood).toBeLessThan(find(prompt).likelihood);
});

test('claims that have nothing of the prompt are left out where one answers it', () => {
  const { claims } = find('redis login fails after the helm upgrade, why?');
  expect([...new Set(claims.map(({ memoryId }) => memoryId))]).toEqual([1]);
});

test('every claim has a reason, also where it has no word of the prompt', () => {
  const { claims } = find('may we wait a little longer, and who would complain?');
  expect(claims.filter(({ reasons }) => reasons.length === 0)).toEqual([]);
  expect(claims.find(({ memoryId }) => memoryId === 2)?.reasons).toEqual([
    'a rule or decision, and the prompt asks what may be done',
  ]);
});

test('reasons say where the words of the prompt are', () => {
  expect(find('why 45 in terminationGracePeriodSeconds on this platform?').claims[0]?.reasons).toEqual([
    'says Grace, platform',
    'title, files or names have 45',
  ]);
});

test.each([
  ['redis?', [1]],
  ['drain', [2]],
  ['run redis', []],
  ['go on', []],
  ['kafka?', []],
])('%j, too short for a sentence, names the memories %j', (prompt, memories) => {
  const { likelihood, claims } = find(prompt);
  expect([...new Set(claims.map(({ memoryId }) => memoryId))]).toEqual(memories);
  expect(likelihood).toBe(Number(memories.length > 0));
});

test('in a large project the full text index finds the claim', () => {
  for (let number = 0; number < 500; number++)
    remember('change', `Module ${number} was moved`, [`part${number} has its own folder now.`]);
  updateIndex(store);
  expect(find('why 38 s of drain and not more, terminationGracePeriodSeconds?').claims[0]).toMatchObject({
    memoryId: 2,
    position: 2,
  });
});

function find(prompt: string) {
  return findClaims(store, prompt, { projectId: 1, isKnown: () => false });
}

function remember(type: string, title: string, facts: string[]): void {
  db.prepare(`
    INSERT INTO memories (kind, type, title, subtitle, narrative, facts, concepts, tokens, project_id, distiller, at,
      changed_at)
    VALUES ('observation', ?, ?, '', '', ?, '[]', 0, 1, 'offline', 0, 0)`).run(
    type,
    title,
    JSON.stringify(facts),
  );
}
