import { expect, test } from 'vitest';
import { findNearest } from './find-nearest.ts';

test.each([
  { typed: 'shwo', known: ['list', 'show'], meant: 'show' },
  { typed: 'svae', known: ['save', 'show'], meant: 'save' },
  { typed: 'lst', known: ['list', 'show'], meant: 'list' },
  { typed: 'isntlal', known: ['install', 'uninstall'], meant: 'install' },
  { typed: 'claude', known: ['raw', 'claude-code'], meant: 'claude-code' },
  { typed: 'tcsh', known: ['bash', 'zsh', 'fish'], meant: undefined },
  { typed: 'x', known: ['search'], meant: undefined },
])('$typed among $known', ({ typed, known, meant }) => {
  expect(findNearest(typed, known)).toBe(meant);
});
