import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { sessionIn } from '../../../test/store/session.contract.ts';
import { openPlainStore, type PlainStore } from '../../../test/support/plain-store.ts';
import { tempFolder } from '../../../test/support/temp.ts';
import { pathsOf } from '../../platform/paths.ts';
import { distillTurn } from '../distill-turn.ts';
import { explainStoredTurn } from '../explain.ts';

let store: PlainStore;
let session: ReturnType<typeof sessionIn>;
beforeEach(() => {
  store = openPlainStore(join(tempFolder(), 'cairn.db'));
  session = sessionIn(store);
});
afterEach(() => store.close());

const now = () => Date.UTC(2026, 5, 1);

function talk(id: string, prompt: string, answer: string): void {
  session.take({ kind: 'prompt', text: prompt, origin: 'person', promptId: id });
  session.take({ kind: 'turn-end', text: answer, continued: false, promptId: id });
}

function distil(): void {
  for (;;) {
    const job = store.claimJob(['distil'], 5_000, 1_000);
    if (!job) return;
    distillTurn(store, job, { now });
  }
}

/** What the current memories say, but for what was asked. */
function listTexts(): string[] {
  return store
    .listRecentMemories({ limit: 99 })
    .filter(({ supersededBy }) => supersededBy === null)
    .flatMap(({ title, facts, parts }) =>
      parts ? [parts.learned, parts.completed, parts.nextSteps, parts.notes] : [title, ...facts],
    )
    .filter((text) => text !== '');
}

const QUESTION = 'how long does the session cache keep its entries?';
const ANSWER = [
  'The session cache keeps its entries for one day, because `SessionCache` has no other TTL.',
  'Entries are not shared between pods, since each pod has its own `MemoryCache` instance.',
].join('\n\n');

test('what the person takes back is in no memory, and the correction is one that stands alone', () => {
  talk('1', QUESTION, ANSWER);
  distil();
  expect(listTexts().join(' ')).toContain('for one day');
  talk('2', 'no, a week', 'You are right, I misread the unit.');
  distil();
  const texts = listTexts();
  expect(texts.filter((text) => /one day, because/.test(text))).toEqual([]);
  expect(texts.filter((text) => /keeps its entries for a week \(not one day\)/.test(text))).not.toEqual([]);
  expect(texts.filter((text) => /its own MemoryCache instance/.test(text))).not.toEqual([]);
});

test('a turn that is distilled after a later one does not say what that one took back', () => {
  talk('1', QUESTION, ANSWER);
  talk('2', 'no, a week', 'You are right, I misread the unit.');
  const [first, second] = [session.claim(), session.claim()];
  expect([first.turnId, second.turnId]).toEqual([1, 2]);
  distillTurn(store, second, { now });
  distillTurn(store, first, { now });
  expect(listTexts().filter((text) => /one day, because/.test(text))).toEqual([]);
});

test('a turn that waits corrects an earlier one as soon as it is distilled', () => {
  talk('1', QUESTION, ANSWER);
  talk('2', 'no, a week', 'You are right, I misread the unit.');
  distil();
  expect(listTexts().filter((text) => /one day, because/.test(text))).toEqual([]);
});

test('the explanation of the earlier turn says who took the sentence back, and where', () => {
  talk('1', QUESTION, ANSWER);
  talk('2', 'no, a week', 'You are right, I misread the unit.');
  distil();
  const dropped = explainStoredTurn(store, pathsOf(tempFolder()), 1)?.dropped ?? [];
  expect(dropped.filter(({ text }) => text.includes('one day'))).toMatchObject([
    { from: "the agent's closing words", why: ['corrected later by the person in prompt 2'] },
  ]);
});

test('what the agent quotes of itself to deny it is cut', () => {
  talk(
    '1',
    'review the loader',
    'The length is read before `verify()`, so the watchdog resets the device in a loop.\n\n`memcmp` on the digest stops early, which leaks nothing because the digest is public.',
  );
  distil();
  expect(listTexts().join(' ')).toContain('watchdog resets');
  talk(
    '2',
    'go on',
    'I wrote that the watchdog resets the device in a loop. It cannot, nothing in `boot/` starts it.',
  );
  distil();
  const texts = listTexts().join('\n');
  expect(texts).not.toMatch(/so the watchdog resets/);
  expect(texts).toMatch(/digest is public/);
});

test('an edit of a later session outdates what an earlier one said of that value', () => {
  const edit = (id: string, before: string, after: string) =>
    session.take({
      ...session.toolEnd(id),
      call: {
        ...{ id: `call-${id}`, name: 'Edit', does: 'change' },
        input: { file_path: '/repo/app/tasks.py', old_string: before, new_string: after },
        files: [{ path: '/repo/app/tasks.py', how: 'write' }],
      },
    });
  session.take({ kind: 'prompt', text: 'retry less often', origin: 'person', promptId: '1' });
  edit('1', 'max_retries=6', 'max_retries=4');
  const words = 'Set max_retries to 4, because the vendor blocks us after the fifth attempt.';
  session.take({ kind: 'turn-end', text: words, continued: false, promptId: '1' });
  distil();
  expect(listTexts().join(' ')).toContain('max_retries to 4');

  session = sessionIn(store, 'later');
  session.take({ kind: 'prompt', text: 'they allow 8 now', origin: 'person', promptId: '2' });
  edit('2', 'max_retries=4', 'max_retries=8');
  const now = 'max_retries of deliver is now 8.';
  session.take({ kind: 'turn-end', text: now, continued: false, promptId: '2' });
  distil();
  const titles = store
    .listRecentMemories({ limit: 99 })
    .filter(({ supersededBy, parts }) => supersededBy === null && parts === null)
    .map(({ title }) => title);
  expect(titles).toEqual(['max_retries of deliver is now 8']);
});
