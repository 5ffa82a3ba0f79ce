import { describe, expect, test } from 'vitest';
import { applyEdit } from './json-text.ts';
import { findNotPlain, makePlain } from './plain-json.ts';

describe('a text that is not plain JSON', () => {
  test.each([
    ['a line comment', '{\n  // mine\n  "a": 1\n}\n', '{\n  "a": 1\n}\n', [2, 3]],
    ['a comment after a value', '{\n  "a": 1 // one\n}\n', '{\n  "a": 1\n}\n', [2, 10]],
    ['a block comment', '{ /* x, y */ "a": 1 }', '{ "a": 1 }', [1, 3]],
    ['two comments on a line', '{/* x */ /* y */"a": 1}', '{"a": 1}', [1, 2]],
    ['a trailing comma', '{\r\n\t"a": [1, 2,],\r\n}\r\n', '{\r\n\t"a": [1, 2]\r\n}\r\n', [2, 12]],
    ['a trailing comma before a comment', '{"a": 1, // x\n}', '{"a": 1\n}', [1, 8]],
    ['only a comment', '// nothing yet\n', '', [1, 1]],
    ['a byte order mark and a comment', '\uFEFF{"a": 1} // x', '\uFEFF{"a": 1}', [1, 11]],
  ])('%s', (_name, text, plain, [line, column]) => {
    expect(findNotPlain(text)).toMatchObject({ line, column });
    const made = makePlain(text);
    expect(made.text).toBe(plain);
    expect(findNotPlain(made.text)).toBeNull();
    expect(made.undo.reduce(applyEdit, made.text)).toBe(text);
  });

  test.each(['{"a": "// no, } comment ,]"}', '', '{}\n', '[1, {"b": "/* x */"}]'])(
    'leaves plain JSON unchanged: %s',
    (text) => {
      expect(findNotPlain(text)).toBeNull();
      expect(makePlain(text)).toEqual({ text, undo: [] });
    },
  );
});
