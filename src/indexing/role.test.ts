import { expect, it } from 'vitest';
import { parseRole } from './role.ts';

const cases: [string, ReturnType<typeof parseRole>][] = [
  ['user', 'person'],
  ['User', 'person'],
  ['human', 'person'],
  ['me', 'person'],
  ['person', 'person'],
  ['assistant', 'agent'],
  ['ASSISTANT', 'agent'],
  ['ai', 'agent'],
  ['AI Assistant', 'agent'],
  ['ai_assistant', 'agent'],
  ['model', 'agent'],
  ['agent', 'agent'],
  ['bot', 'agent'],
  ['distiller', 'none'],
  ['', 'none'],
  ['Caroline', null],
  // A numbered name distinguishes two people, so it is kept.
  ['User 1', null],
  ['Claude', null],
];

it.each(cases)('the role of "%s" is %s', (saidBy, role) => {
  expect(parseRole(saidBy)).toBe(role);
});
