import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tokenise } from './tokenise.ts';

describe('tokenise', () => {
  const cases: { name: string; text: string; tokens: string[] }[] = [
    { name: 'stems English', text: 'running tests', tokens: ['run', 'test'] },
    {
      name: 'unifies irregular forms',
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
      name: 'splits camelCase and keeps the whole',
      text: 'getUserName',
      tokens: ['getusernam', 'get', 'user', 'name'],
    },
    {
      name: 'treats snake_case as the same name',
      text: 'get_user_name',
      tokens: ['getusernam', 'get', 'user', 'name'],
    },
    {
      name: 'treats kebab-case as the same name',
      text: 'get-user-name',
      tokens: ['getusernam', 'get', 'user', 'name'],
    },
    {
      name: 'splits HTTPServer before the last capital',
      text: 'HTTPServer',
      tokens: ['httpserver', 'http', 'server'],
    },
    {
      name: 'gives a path as a whole, its suffixes and its parts',
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
      name: 'gives a package as a whole and in parts',
      text: '@scope/my-name',
      tokens: ['@scope/myname', 'mynam', 'scope', 'my', 'name'],
    },
    {
      name: 'gives a built-in module as a whole and in parts',
      text: 'node:fs',
      tokens: ['node:fs', 'node', 'fs'],
    },
    {
      name: 'keeps error codes whole',
      text: 'ERR_MODULE_NOT_FOUND TS2345 E404',
      tokens: ['errmodulenotfound', 'error', 'modul', 'not', 'find', 'ts2345', 'e404'],
    },
    {
      name: 'gives a version with its prefixes',
      text: 'v20.19.0',
      tokens: ['v20.19.0', '20.19.0', '20.19', '20'],
    },
    { name: 'gives an issue number with and without #', text: '#123', tokens: ['#123', '123'] },
    { name: 'keeps names of languages', text: 'C++ c#', tokens: ['c++', 'c', 'c#', 'c'] },
    { name: 'gives Han as characters and pairs', text: '日本語', tokens: ['日', '日本', '本', '本語', '語'] },
    { name: 'gives Hangul as characters and pairs', text: '검색', tokens: ['검', '검색', '색'] },
    { name: 'keeps words of other scripts whole', text: 'हिन्दी поиск', tokens: ['हिन्दी', 'поиск'] },
    { name: 'keeps a full commit hash whole', text: 'a'.repeat(40), tokens: ['a'.repeat(40)] },
    { name: 'ignores punctuation', text: '--- !!! "" * ()', tokens: [] },
  ];
  it.each(cases)('$name', ({ text, tokens }) => {
    expect(tokenise(text)).toEqual(tokens);
  });

  it('accepts any text, and gives tokens without spaces, quotes or NULs', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' })), (text) => {
        for (const token of tokenise(text)) expect(token).toMatch(/^[^\s"\0]+$/u);
      }),
    );
  });

  it('tokenises Latin text the same way with and without letters of another script', () => {
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

  it.each(['a.', 'aA', '-', 'a', '日', 'a\u0301', '/_', '@a/'])(
    'limits the tokens of a very long row of %j',
    (piece) => {
      expect(tokenise(piece.repeat(200_000)).every((token) => token.length <= 64)).toBe(true);
    },
  );
});
