import { expect, test } from 'vitest';
import { listStatements, pickStatements, selectStatements } from './outdated.ts';

const STATEMENTS = ['Entries live one day.', 'The pool is\nexhausted.', 'We use pnpm.'];

test('statements are numbered lines', () => {
  expect(listStatements(STATEMENTS)).toBe(
    '1. Entries live one day.\n2. The pool is exhausted.\n3. We use pnpm.',
  );
});

test.each<[string, number[], string[]]>([
  ['none', [], []],
  ['two of them, in any order, one twice', [3, 1, 3], ['Entries live one day.', 'We use pnpm.']],
  ['numbers that were not listed', [0, 4, -1, 1.5, Number.NaN], []],
])('picked: %s', (_name, numbers, picked) => {
  expect(pickStatements(STATEMENTS, numbers)).toEqual(picked);
});

test('a model that rejects nearly everything is not believed', () => {
  const many = Array.from({ length: 20 }, (_, index) => `Statement ${index}.`);
  const all = many.map((_, index) => index + 1);
  expect(pickStatements(many, all)).toEqual([]);
  expect(pickStatements(many, all.slice(0, 8))).toEqual(many.slice(0, 8));
});

test('the latest statements that fit, without very long ones', () => {
  const long = 'x'.repeat(290);
  expect(selectStatements(['y'.repeat(400), ...Array<string>(20).fill(long)])).toEqual(
    Array<string>(8).fill(long),
  );
});
