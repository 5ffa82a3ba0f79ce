import { describe, expect, it } from 'vitest';
import { ANY_CHARACTER, type AnchorGroup, buildTable, packTable, unpackTable } from './anchor-table.ts';
import { type Anchors, createAnchorSearch } from './anchors.ts';
import { tokenRules } from './rules/tokens.ts';
import { anchorGroups, packAnchors, tokenRulesByAnchor } from './scan.ts';

function indexAnchors(groups: AnchorGroup[]): (text: string) => Anchors {
  return createAnchorSearch(buildTable(groups));
}

function positionsOf(text: string, literals: string[], exact = false): number[] {
  const { counts, positions } = indexAnchors([{ literals, exact }])(text);
  return (positions[0] ?? []).slice(0, counts[0]);
}

describe('createAnchorSearch', () => {
  it('finds literals case-insensitively, or in their exact case', () => {
    expect(positionsOf('a Token, a TOKEN', ['token'])).toEqual([2, 11]);
    expect(positionsOf('ghp_ GHP_', ['ghp_'], true)).toEqual([0]);
  });

  it('finds a literal that leaves its third character open', () => {
    expect(positionsOf('SK1 SKa sk1 SK', [`SK${ANY_CHARACTER}`], true)).toEqual([0, 4]);
    expect(positionsOf('az login', ['az'], true)).toEqual([0]);
  });

  it('finds a literal across the parts of a long text', () => {
    for (let shift = 0; shift < 8; shift++) {
      const before = 'x'.repeat(65_536 - shift);
      expect(positionsOf(`${before}secret${'y'.repeat(70_000)}secret`, ['secret'])).toEqual([
        before.length,
        before.length + 6 + 70_000,
      ]);
    }
  });

  it('finds literals between non-Latin characters', () => {
    expect(positionsOf('пароль → secret', ['secret'])).toEqual([9]);
  });

  it('clears the results of the previous text', () => {
    const find = indexAnchors([{ literals: ['key'] }, { literals: ['token'] }]);
    find('key key token');
    expect([...find('a token').counts]).toEqual([0, 1]);
  });
});

it('every token rule has an anchor or is searched for in long runs', () => {
  const anchored = new Set([...tokenRulesByAnchor().values()].flat().map(({ starts }) => starts));
  expect(tokenRules().filter((rule) => !anchored.has(rule.starts) && rule.inRun === undefined)).toEqual([]);
});

const TEXTS = [
  '',
  'DB_PASSWORD=x ghp_abc',
  '-----BEGIN PRIVATE KEY',
  'curl -u a:b https://a:b@c',
  'an az login',
];

it('the table packed at build time is the same', () => {
  const table = buildTable(anchorGroups());
  const unpacked = unpackTable(packAnchors());
  expect(packTable(unpacked)).toEqual(packTable(table));
  for (const text of TEXTS)
    expect(createAnchorSearch(unpacked)(text)).toEqual(createAnchorSearch(table)(text));
});
