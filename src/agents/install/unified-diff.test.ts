import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { unifiedDiff } from './unified-diff.ts';

it('is empty if nothing changed', () => {
  expect(unifiedDiff('a.json', 'x\n', 'x\n')).toBe('');
});

it('shows a change with three lines of context', () => {
  const before = 'a\nb\nc\nd\ne\nf\ng\nh\n';
  expect(unifiedDiff('a.json', before, before.replace('e\n', 'E\nE\n'))).toBe(
    [
      '--- a.json',
      '+++ a.json',
      '@@ -2,7 +2,8 @@',
      ' b',
      ' c',
      ' d',
      '-e',
      '+E',
      '+E',
      ' f',
      ' g',
      ' h',
    ].join('\n'),
  );
});

it('shows a new file, a removed file and a missing newline at the end', () => {
  expect(unifiedDiff('a.json', null, '{}\n')).toBe('--- /dev/null\n+++ a.json\n@@ -0,0 +1,1 @@\n+{}');
  expect(unifiedDiff('a.json', '{}\n', null)).toBe('--- a.json\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-{}');
  expect(unifiedDiff('a.json', '{}', '{}\n')).toBe(
    '--- a.json\n+++ a.json\n@@ -1,1 +1,1 @@\n-{}\n\\ No newline at end of file\n+{}',
  );
});

it('produces diffs that git can apply', () => {
  const folder = mkdtempSync(join(tmpdir(), 'cairn-diff-'));
  const text = fc
    .tuple(fc.array(fc.constantFrom('{', '}', 'a', 'b', ''), { minLength: 1, maxLength: 30 }), fc.boolean())
    .map(([lines, hasEnd]) => lines.join('\n') + (hasEnd ? '\n' : ''))
    .filter((generated) => generated !== '');
  const apply = (before: string, after: string) => {
    writeFileSync(join(folder, 'a.json'), before);
    const input = `${unifiedDiff('a.json', before, after)}\n`;
    execFileSync('git', ['apply', '-p0', '--whitespace=nowarn', '--unidiff-zero', '-'], {
      cwd: folder,
      input,
    });
    expect(readFileSync(join(folder, 'a.json'), 'utf8')).toBe(after);
  };
  try {
    fc.assert(
      fc.property(text, text, (before, after) => {
        fc.pre(before !== after);
        apply(before, after);
      }),
      { numRuns: 40 },
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
