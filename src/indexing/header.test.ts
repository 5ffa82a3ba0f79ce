import { expect, it } from 'vitest';
import { findEndOfNames, joinHeader } from './header.ts';

const cases = [
  { names: '', others: '' },
  { names: ' upload ', others: '' },
  { names: '', others: ' src/upload.ts ' },
  { names: ' upload retri ', others: ' src/upload.ts main ' },
];

it.each(cases)('finds the end of the names "$names" before "$others"', ({ names, others }) => {
  const header = joinHeader(names, others);
  expect(header.slice(0, findEndOfNames(header))).toBe(names);
  expect(header.slice(findEndOfNames(header)).replace('|', '')).toBe(others);
});
