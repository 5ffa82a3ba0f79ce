import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { openPlainStore, type PlainStore } from '../../test/support/plain-store.ts';
import { tempFolder } from '../../test/support/temp.ts';
import { updateIndex } from '../indexing/update-index.ts';
import { recall } from './recall.ts';
import { PUSH_THRESHOLD } from './threshold.ts';

const place = { path: '/home/ada/orchard/.git', name: 'orchard' };
const NOTES = [
  ['Always use pnpm in this repository', 'npm install writes a package-lock.json and breaks the pipeline.'],
  ['Retries of the payment provider', 'Three attempts with a backoff; never after a 4xx.'],
  ['The CDN is purged by tag when a product is saved', 'See src/cdn/purge.js.'],
  ['Webhook signatures are made over the raw body', 'express.json() has to come after verifySignature().'],
  ['GitHub Actions run on two cores', 'More test workers run into the timeout of the browser tests.'],
  ['Lists are paged by cursor', 'With an offset rows were shown twice.'],
  ['The order list fetches its customers at once', 'One query for each order took nine seconds.'],
  ['Releases are tagged on main', 'The pipeline publishes them.'],
];

let store: PlainStore | undefined;
afterEach(() => store?.close());

/** What recall gives the best memory for a prompt, among the notes and as many fillers. */
function bestFor(text: string, fillers = 0): { title: string; isPushed: boolean } | null {
  store = openPlainStore(join(tempFolder(), 'cairn.db'));
  const fill = Array.from({ length: fillers }, (_, index) => [
    `Page ${index} of the handbook is translated`,
    `Chapter ${index % 7} was read again by somebody else.`,
  ]);
  for (const [title = '', narrative = ''] of [...NOTES, ...fill])
    store.addNote(
      {
        ...{ type: null, title, narrative, aliases: [], files: [], pins: [], place },
        ...{ scope: 'project', saidBy: 'person', isPinned: false },
      },
      Date.UTC(2026, 4, 4),
    );
  updateIndex(store);
  const projectId = store.findProject(place)?.id ?? null;
  const now = Date.UTC(2026, 4, 5);
  const [best] = recall(store, { text, projectId, reach: 'project', limit: 3, now });
  if (!best) return null;
  return { title: store.getMemory(best.id)?.title ?? '', isPushed: best.score >= PUSH_THRESHOLD.memories };
}

describe('what is likely meant clears the threshold', () => {
  test.each([
    ['the payment provider times out, add retries with a backoff', 'Retries of the payment provider'],
    ['why does verifySignature() fail for every webhook?', 'Webhook signatures are made over the raw body'],
    ['package-lock.json breaks the pipeline again', 'Always use pnpm in this repository'],
    [
      'what is purged from the CDN when a product is saved?',
      'The CDN is purged by tag when a product is saved',
    ],
  ])('%s', (prompt, title) => {
    expect(bestFor(prompt)).toEqual({ title, isPushed: true });
  });
});

describe('what only shares a word does not', () => {
  test.each([
    'thanks, that looks good',
    'run the tests again please',
    'write a function that reverses a list',
    'add a GitHub badge to the readme',
    'show me the product page in dark mode',
    'make the body text a little larger',
  ])('%s', (prompt) => {
    expect(bestFor(prompt)?.isPushed ?? false).toBe(false);
  });
});

test('among many memories the same holds', () => {
  expect(bestFor('the payment provider times out, add retries with a backoff', 150)).toEqual({
    title: 'Retries of the payment provider',
    isPushed: true,
  });
  store?.close();
  expect(bestFor('write the page of the book that somebody else reads', 150)?.isPushed ?? false).toBe(false);
});
