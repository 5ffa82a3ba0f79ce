import { expect, it } from 'vitest';
import { tokenise } from '../../indexing/tokenise.ts';
import type { SearchDoc } from '../../store/types/search.ts';
import { extractNames } from './names.ts';

const cases: { written: string; names: string[] }[] = [
  { written: 'the uploader gave up after three attempts', names: [] },
  { written: 'findInsertBefore was slow', names: ['findinsertbefor'] },
  { written: 'exit_past_line_start in config', names: ['exitpastlinestart'] },
  { written: 'fails with ECONNRESET', names: ['econnreset'] },
  { written: 'throws a TypeError', names: ['typeerror'] },
  { written: 'in src/net/upload.ts', names: ['src/net/upload.ts'] },
  { written: 'since #1533', names: ['#1533'] },
  { written: 'commit a6abc717b', names: ['a6abc717b'] },
  { written: 'uses @market/core now', names: ['@market/core'] },
  { written: 'the token is [redacted:github-token], PW=[redacted:password]', names: [] },
];

it.each(cases)('$written', ({ written, names }) => {
  const body = ` ${tokenise(written).join(' ')} `;
  expect([...extractNames({ title: '', body, header: '' } as SearchDoc)]).toEqual(names);
});
