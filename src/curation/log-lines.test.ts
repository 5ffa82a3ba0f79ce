import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { tempFolder } from '../../test/support/temp.ts';
import { analyzeWording } from '../model/wording.ts';
import { forgetInLogs } from './log-lines.ts';

const secret = 'The lantern code of the quokka is violet';
const words = { wording: analyzeWording([secret]), memories: [12] };
const line = (fields: object) => `${JSON.stringify({ time: 'now', message: 'm', ...fields })}\n`;

it('takes the text out of log lines and leaves all else where it is', () => {
  const folder = tempFolder();
  const path = join(folder, '2026-01-01.jsonl');
  const told = line({ reason: `because "${secret}" — ü`, other: 'kept' });
  const torn = `{"reason":"${secret}`;
  const given = line({ text: 'see #12: short', other: 'see #123' });
  writeFileSync(path, line({ reason: 'fine' }) + told + given + line({ reason: 'last' }) + torn);
  const before = readFileSync(path);

  expect(forgetInLogs(folder, words, true)).toBe(3);
  expect(readFileSync(path).equals(before)).toBe(true);
  expect(forgetInLogs(folder, words, false)).toBe(3);
  appendFileSync(path, '\n');
  const after = readFileSync(path, 'utf8');
  expect(Buffer.byteLength(after)).toBe(before.length + 1);
  expect(after.split('\n').map((each) => each.trimEnd())).toEqual([
    line({ reason: 'fine' }).trimEnd(),
    line({ reason: '(forgotten)', other: 'kept' }).trimEnd(),
    line({ text: '(forgotten)', other: 'see #123' }).trimEnd(),
    line({ reason: 'last' }).trimEnd(),
    '',
    '',
  ]);
  expect(forgetInLogs(folder, words, false)).toBe(0);
});

it('does without logs', () => {
  expect(forgetInLogs(join(tempFolder(), 'none'), words, false)).toBe(0);
});
