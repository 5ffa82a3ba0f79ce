import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tokenise } from './tokenise.ts';

describe('tokenise', () => {
  const cases: { name: string; text: string; tokens: string[] }[] = [
    { name: 'stems English', text: 'running tests', tokens: ['run', 'test'] },
    {
      name: 'knows irregular forms',
      text: 'we went and bought it',
      tokens: ['we', 'go', 'and', 'bui', 'it'],
    },
    {
      name: 'folds accents and case',
      text: 'Über Café STRASSE straße',
      tokens: ['uber', 'cafe', 'strass', 'strass'],
    },
    { name: 'cuts off possessives', text: "Caroline's don't we’re", tokens: ['carolin', 'dont', 'we'] },
    {
      name: 'takes camelCase apart and keeps it whole',
      text: 'getUserName',
      tokens: ['getusernam', 'get', 'user', 'name'],
    },
    {
      name: 'knows snake_case as the same name',
      text: 'get_user_name',
      tokens: ['getusernam', 'get', 'user', 'name'],
    },
    {
      name: 'knows kebab-case as the same name',
      text: 'get-user-name',
      tokens: ['getusernam', 'get', 'user', 'name'],
    },
    {
      name: 'parts HTTPServer where people do',
      text: 'HTTPServer',
      tokens: ['httpserver', 'http', 'server'],
    },
    {
      name: 'finds a path by its whole, its end and its name',
      text: 'src/recall/request.ts',
      tokens: [
        'src/recall/request.ts',
        'recall/request.ts',
        'request.ts',
        'src',
        'recal',
        'request',
        'typescript',
      ],
    },
    {
      name: 'knows packages',
      text: '@scope/my-name',
      tokens: ['@scope/myname', 'mynam', 'scope', 'my', 'name'],
    },
    { name: 'knows built-ins', text: 'node:fs', tokens: ['node:fs', 'node', 'fs'] },
    {
      name: 'knows error codes',
      text: 'ERR_MODULE_NOT_FOUND TS2345 E404',
      tokens: ['errmodulenotfound', 'error', 'modul', 'not', 'find', 'ts2345', 'e404'],
    },
    { name: 'knows versions', text: 'v20.19.0', tokens: ['v20.19.0', '20.19.0', '20.19', '20'] },
    { name: 'knows numbers of issues', text: '#123', tokens: ['#123', '123'] },
    { name: 'knows languages', text: 'C++ c#', tokens: ['c++', 'c', 'c#', 'c'] },
    { name: 'gives Han as characters and pairs', text: '日本語', tokens: ['日', '日本', '本', '本語', '語'] },
    { name: 'gives Hangul the same way', text: '검색', tokens: ['검', '검색', '색'] },
    { name: 'leaves other scripts as words', text: 'हिन्दी поиск', tokens: ['हिन्दी', 'поиск'] },
    { name: 'finds a commit by its short name', text: 'a'.repeat(40), tokens: ['a'.repeat(40)] },
    { name: 'finds nothing in marks', text: '--- !!! "" * ()', tokens: [] },
  ];
  it.each(cases)('$name', ({ text, tokens }) => {
    expect(tokenise(text)).toEqual(tokens);
  });

  it('takes any text, and gives words without spaces, quotes or capitals', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' })), (text) => {
        for (const token of tokenise(text)) expect(token).toMatch(/^[^\s"\0]+$/u);
      }),
    );
  });

  it('reads a text in Latin letters the same way, whatever letters stand beside it', () => {
    const pieces = [
      'a',
      'B',
      'cD',
      '_',
      '.',
      '/',
      '\\\\',
      ':',
      '-',
      '@',
      '#',
      '+',
      "'",
      '’',
      '“',
      '—',
      '→',
      '7',
      ' ',
      '\n',
    ];
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...pieces) }), (text) => {
        expect(tokenise(`${text} ж`)).toEqual([...tokenise(text), 'ж']);
      }),
    );
  });

  it.each(['a.', 'aA', '-', 'a', '日', 'a\u0301', '/_', '@a/'])('takes a very long row of %j', (piece) => {
    expect(tokenise(piece.repeat(200_000)).every((token) => token.length <= 64)).toBe(true);
  });
});
