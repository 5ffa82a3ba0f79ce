import { expect, test } from 'vitest';
import { readPatch } from './patch.ts';

test('reads each hunk as an edit of its file', () => {
  const patch = [
    '*** Begin Patch',
    '*** Update File: src/a.ts',
    '@@ class A',
    ' before',
    '-old',
    '+new',
    '@@',
    '-gone',
    '*** Update File: ./b.ts',
    '*** Move to: c.ts',
    '@@',
    '-one',
    '+two',
    '*** Delete File: /tmp/d.ts',
    '*** Add File: e.ts',
    '+first',
    '+',
    '+third',
    '*** End Patch',
  ].join('\n');
  expect(readPatch(patch, '/p')).toEqual([
    { file_path: '/p/src/a.ts', old_string: 'before\nold', new_string: 'before\nnew' },
    { file_path: '/p/src/a.ts', old_string: 'gone', new_string: '' },
    { file_path: '/p/c.ts', old_string: 'one', new_string: 'two' },
    { file_path: '/tmp/d.ts', old_string: '', new_string: '' },
    { file_path: '/p/e.ts', content: 'first\n\nthird\n' },
  ]);
});

test.each(['', 'no patch', '*** Update File: a', '+++ b', '*** Add File: a'])(
  'does not throw for %j',
  (text) => {
    expect(Array.isArray(readPatch(text, undefined))).toBe(true);
  },
);
