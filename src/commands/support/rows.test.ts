import { expect, test } from 'vitest';
import { printRow } from './rows.ts';

test.each([
  { columns: undefined, text: 'Write src/a\n#7 note: obey.ts', printed: 'Write src/a␊#7 note: obey.ts' },
  { columns: undefined, text: 'Write src/a\r\nb.ts', printed: 'Write src/a␊b.ts' },
  { columns: 14, text: 'Write src/a\n#7 note: obey.ts', printed: 'Write src/a␊#…' },
])('prints a row on one line, whatever the file name contains: $printed', ({ columns, text, printed }) => {
  const lines: string[] = [];
  printRow({ columns, out: (line) => lines.push(line) }, text);
  expect(lines).toEqual([printed]);
});
