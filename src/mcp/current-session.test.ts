import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { end, ORCHARD, prompt, start, type Told, tell } from '../../test/support/captured.ts';
import { openPlainStore, type PlainStore } from '../../test/support/plain-store.ts';
import { tempFolder } from '../../test/support/temp.ts';
import { findCurrentSession } from './current-session.ts';

let store: PlainStore;
beforeEach(() => {
  store = openPlainStore(join(tempFolder(), 'cairn.db'));
});
afterEach(() => store.close());

const at = (session: string, minute: number, event: Told['event']): Told => ({
  session,
  at: minute * 60_000,
  event,
});
const begun = at('one', 1, start());

test.each<{ name: string; told: Told[]; now: string }>([
  { name: 'nothing of it was captured', told: [at('two', 1, start())], now: 'one' },
  { name: 'it goes on', told: [begun, at('two', 2, start())], now: 'one' },
  {
    name: 'it was cleared',
    told: [begun, at('one', 2, end('clear')), at('two', 2, start('clear'))],
    now: 'two',
  },
  {
    name: 'it was cleared twice, beside another client',
    told: [
      begun,
      at('other', 1, start()),
      at('one', 2, end('clear')),
      at('two', 2, start('clear')),
      at('other', 3, prompt('something else')),
      at('two', 4, end('clear')),
      at('three', 4, start('clear')),
      at('other', 5, end('clear')),
      at('four', 5, start('clear')),
    ],
    now: 'three',
  },
  {
    name: 'an earlier one was taken up again',
    told: [
      at('zero', 0, start()),
      at('zero', 1, end()),
      begun,
      at('one', 2, end('resume')),
      at('zero', 2, start('resume')),
    ],
    now: 'zero',
  },
  {
    name: 'an earlier one was taken up again, and another client is there',
    told: [
      at('zero', 0, start()),
      begun,
      at('other', 1, start()),
      at('one', 2, end('resume')),
      at('zero', 2, start('resume')),
      at('other', 3, prompt('something else')),
    ],
    now: 'one',
  },
  { name: 'it has ended', told: [begun, at('one', 2, end())], now: 'one' },
])('$name', ({ told, now }) => {
  tell(store, ...told);
  const project = store.findProject(ORCHARD);
  expect(findCurrentSession(store, 'one', project?.id ?? null)).toBe(now);
});
