import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  type CapturedInput,
  end,
  ingestEvents,
  ORCHARD,
  prompt,
  start,
} from '../../test/support/captured.ts';
import { openPlainStore, type PlainStore } from '../../test/support/plain-store.ts';
import { tempFolder } from '../../test/support/temp.ts';
import { findCurrentSession } from './current-session.ts';

let store: PlainStore;
beforeEach(() => {
  store = openPlainStore(join(tempFolder(), 'cairn.db'));
});
afterEach(() => store.close());

const at = (session: string, minute: number, event: CapturedInput['event']): CapturedInput => ({
  session,
  at: minute * 60_000,
  event,
});
const begun = at('one', 1, start());

test.each<{ name: string; inputs: CapturedInput[]; now: string }>([
  { name: 'nothing of the session was captured', inputs: [at('two', 1, start())], now: 'one' },
  { name: 'the session continues', inputs: [begun, at('two', 2, start())], now: 'one' },
  {
    name: 'the session was cleared',
    inputs: [begun, at('one', 2, end('clear')), at('two', 2, start('clear'))],
    now: 'two',
  },
  {
    name: 'the session was cleared twice while another client was running',
    inputs: [
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
    name: 'an earlier session was resumed',
    inputs: [
      at('zero', 0, start()),
      at('zero', 1, end()),
      begun,
      at('one', 2, end('resume')),
      at('zero', 2, start('resume')),
    ],
    now: 'zero',
  },
  {
    name: 'an earlier session was resumed while another client was running',
    inputs: [
      at('zero', 0, start()),
      begun,
      at('other', 1, start()),
      at('one', 2, end('resume')),
      at('zero', 2, start('resume')),
      at('other', 3, prompt('something else')),
    ],
    now: 'one',
  },
  { name: 'the session has ended', inputs: [begun, at('one', 2, end())], now: 'one' },
])('$name', ({ inputs, now }) => {
  ingestEvents(store, ...inputs);
  const project = store.findProject(ORCHARD);
  expect(findCurrentSession(store, 'one', project?.id ?? null)).toBe(now);
});
