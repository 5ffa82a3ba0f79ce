import { join } from 'node:path';
import { expect, it } from 'vitest';
import { captured, prompt } from '../support/captured.ts';
import { openPlainStore } from '../support/plain-store.ts';
import { tempFolder } from '../support/temp.ts';

it.each([
  ['Done.', true],
  ['', false],
])('a turn that ended with %j has closing words: %s', (text, hasClosingWords) => {
  const store = openPlainStore(join(tempFolder(), 'cairn.db'));
  const end = { kind: 'turn-end', text, continued: false } as const;
  store.ingest(
    [
      captured({ session: 's', at: 1, event: prompt('do it') }),
      captured({ session: 's', at: 2, event: end }),
    ],
    2,
  );
  expect(store.readTurn(1)).toMatchObject({ closedBy: 'turn-end', hasClosingWords });
  store.close();
});
