import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ParsedQuery, parseQuery } from './parse-query.ts';

const NOW = new Date(2026, 5, 15, 12).getTime();
const day = (year: number, month: number, date: number) => new Date(year, month - 1, date).getTime();
const NOTHING: ParsedQuery = {
  ...{ words: '', phrases: [], without: [], kinds: [], types: [], files: [], projects: [], branches: [] },
  ...{ asksForErrors: false, agents: [], since: null, before: null, problems: [] },
};

describe('parseQuery', () => {
  const cases: { name: string; text: string; query: Partial<ParsedQuery> }[] = [
    { name: 'plain words', text: 'why pnpm', query: { words: 'why pnpm' } },
    {
      name: 'a phrase',
      text: '"exit code" hook',
      query: { words: 'exit code  hook', phrases: ['exit code'] },
    },
    { name: 'a word to leave out', text: 'cache -redis', query: { words: 'cache', without: ['redis'] } },
    {
      name: 'a phrase to leave out',
      text: 'cache -"in memory"',
      query: { words: 'cache', without: ['in memory'] },
    },
    { name: 'options of commands are words', text: 'npm i -g --force', query: { words: 'npm i -g --force' } },
    {
      name: 'a list is no exclusion',
      text: 'do this:\n-first\n-second',
      query: { words: 'do this:\n-first\n-second' },
    },
    { name: 'a type', text: 'type:decision pnpm', query: { words: 'pnpm', types: ['decision'] } },
    { name: 'a kind', text: 'kind:prompt pnpm', query: { words: 'pnpm', kinds: ['prompt'] } },
    { name: 'a kind called type', text: 'type:note', query: { kinds: ['note'] } },
    {
      name: 'a kind that is none',
      text: 'kind:fish',
      query: {
        words: 'kind:fish',
        problems: ['Unknown kind in kind:fish. Use one of observation, summary, note, prompt, error.'],
      },
    },
    {
      name: 'a type that is none',
      text: 'type:Fish x',
      query: {
        words: 'type:Fish x',
        problems: [expect.stringMatching(/^Unknown type in type:Fish\. Use one of preference, decision, /)],
      },
    },
    { name: 'a file', text: 'file:src/a.ts', query: { files: ['src/a.ts'] } },
    { name: 'a quoted value', text: 'file:"my file.ts" x', query: { words: 'x', files: ['my file.ts'] } },
    {
      name: 'project, branch, agent',
      text: 'project:shop branch:Fix/1 agent:Codex',
      query: { projects: ['shop'], branches: ['Fix/1'], agents: ['codex'] },
    },
    { name: 'since a date', text: 'since:2026-05-01', query: { since: day(2026, 5, 1) } },
    { name: 'since days', text: 'since:3d', query: { since: day(2026, 6, 12) } },
    { name: 'since weeks', text: 'since:2w', query: { since: day(2026, 6, 1) } },
    { name: 'since a month', text: 'since:may', query: { since: day(2026, 5, 1) } },
    { name: 'before yesterday', text: 'before:yesterday', query: { before: day(2026, 6, 14) } },
    {
      name: 'a time that is none',
      text: 'since:soon',
      query: {
        words: 'since:soon',
        problems: ['Unknown date in since:soon. Use a date such as 2026-11-10, yesterday, 3d or 2w.'],
      },
    },
    { name: 'an operator without a value', text: 'type: x', query: { words: 'type: x' } },
    { name: 'an operator nobody knows', text: 'colour:red', query: { words: 'colour:red' } },
    {
      name: 'a misspelled operator',
      text: 'kidn:note x',
      query: {
        words: 'kidn:note x',
        problems: [
          'Unknown operator kidn: in kidn:note. Did you mean kind:note? To search for the text, quote it.',
        ],
      },
    },
    {
      name: 'a date under the name that other search boxes have for it',
      text: 'x after:2026-11-01',
      query: {
        words: 'x after:2026-11-01',
        problems: [expect.stringContaining('Did you mean since:2026-11-01?')],
      },
    },
    {
      name: 'such a name without a date',
      text: 'after:effects constructor:2026-11-01',
      query: { words: 'after:effects constructor:2026-11-01' },
    },
    {
      name: 'an operator in the plural',
      text: 'files:src/a.ts',
      query: { words: 'files:src/a.ts', problems: [expect.stringContaining('Did you mean file:src/a.ts?')] },
    },
    {
      name: 'a misspelled type',
      text: 'type:gotca',
      query: { words: 'type:gotca', problems: [expect.stringContaining('Did you mean type:gotcha?')] },
    },
    {
      name: 'a misspelled date',
      text: 'since:yestrday',
      query: {
        words: 'since:yestrday',
        problems: [expect.stringContaining('Did you mean since:yesterday?')],
      },
    },
    {
      name: 'a date that is none at all',
      text: 'since:banana',
      query: {
        words: 'since:banana',
        problems: ['Unknown date in since:banana. Use a date such as 2026-11-10, yesterday, 3d or 2w.'],
      },
    },
    { name: 'errors', text: 'kind:error ENOENT', query: { words: 'ENOENT', asksForErrors: true } },
    { name: 'an address', text: 'https://x.org/a', query: { words: 'https://x.org/a' } },
    { name: 'the address of a file', text: 'file:///srv/a.js', query: { words: 'file:///srv/a.js' } },
    { name: 'a name in a module', text: 'type::Kind std::io', query: { words: 'type::Kind std::io' } },
    { name: 'an error', text: 'TypeError: type is null', query: { words: 'TypeError: type is null' } },
    { name: 'a built-in', text: 'node:fs find:x bind:mount', query: { words: 'node:fs find:x bind:mount' } },
    {
      name: 'an operator in a phrase',
      text: '"of type:foo"',
      query: { words: 'of type:foo', phrases: ['of type:foo'] },
    },
    {
      name: 'pasted code',
      text: 'props = {\n  type:string\n kidn:x\n}',
      query: { words: 'props = {\n  type:string\n kidn:x\n}' },
    },
    { name: 'capitals', text: 'TYPE:Decision', query: { types: ['decision'] } },
  ];
  it.each(cases)('$name', ({ text, query }) => {
    expect(parseQuery(text, NOW)).toEqual({ ...NOTHING, ...query });
  });

  it('takes anything', () => {
    const part = fc.constantFrom(
      'type:',
      'since:',
      '"',
      '-',
      'file:"',
      'before:1d',
      ' ',
      'x',
      ':',
      'kind:note',
      '\n',
    );
    fc.assert(fc.property(fc.array(part), (parts) => void parseQuery(parts.join(''), NOW)));
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => void parseQuery(text, NOW)));
  });
});
