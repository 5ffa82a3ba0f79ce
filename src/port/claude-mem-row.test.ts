import { expect, test } from 'vitest';
import { parseObservation, parsePrompt, parseSummary, readProjectName } from './claude-mem-row.ts';

const ROW = { id: 7, project: 'orchard', created_at_epoch: 1_700_000_000_000 };

test.each<[string, string, string[], string, string[]]>([
  ['one that both have', 'bugfix', ['problem-solution'], 'bugfix', ['problem-solution']],
  ['a discovery', 'discovery', ['pattern'], 'discovery', ['pattern']],
  ['a trap', 'discovery', ['gotcha'], 'gotcha', ['gotcha']],
  ['how it works', 'discovery', ['how-it-works'], 'how-it-works', ['how-it-works']],
  ['an alert', 'security_alert', [], 'gotcha', ['security_alert']],
  ['one of another mode', 'email_thread', [], 'discovery', ['email_thread']],
  ['none', '', [], 'discovery', []],
])('the type of %s', (_, type, concepts, ours, kept) => {
  const row = { ...ROW, title: 'T', type, concepts: JSON.stringify(concepts) };
  expect(parseObservation(row, (text) => text)).toMatchObject({ type: ours, concepts: kept });
});

test.each<[string, Record<string, unknown>, object | null]>([
  [
    'only a text, as in the first versions',
    { text: 'Plums are picked in August. In July they are hard.' },
    { title: 'Plums are picked in August', narrative: 'Plums are picked in August. In July they are hard.' },
  ],
  [
    'a text beside a title',
    { title: 'Plums', text: 'In August.' },
    { title: 'Plums', narrative: 'In August.' },
  ],
  ['only facts', { facts: '["One","Two"]' }, { title: 'One', facts: ['One', 'Two'] }],
  ['a list that is no JSON', { title: 'T', facts: '- One\n- Two' }, { facts: ['One', 'Two'] }],
  ['nothing', { title: ' ', narrative: null }, null],
  [
    'a long first sentence with something to hide at its end',
    { text: `${'Very '.repeat(21)}SECRET. More.` },
    { title: `${'Very '.repeat(21)}hidden` },
  ],
  ['seconds', { title: 'T', created_at_epoch: 1_700_000_000 }, { at: 1_700_000_000_000 }],
  [
    'a time in words',
    { title: 'T', created_at_epoch: null, created_at: '2023-11-14T22:13:20Z' },
    { at: 1_700_000_000_000, key: 'claude-mem:observations:7@1700000000000' },
  ],
])('an observation with %s', (_, told, expected) => {
  const found = parseObservation({ ...ROW, ...told }, (text) => text.replace('SECRET', 'hidden'));
  if (expected === null) expect(found).toBeNull();
  else expect(found).toMatchObject(expected);
});

test.each<[string, string, string, object | null]>([
  ['a title', 'Watering', 'Never at noon.', { title: 'Watering', narrative: 'Never at noon.' }],
  ['none', 'Never at noon.', 'Never at noon.', { title: 'Never at noon', narrative: '' }],
  [
    'none, and more to say than a title holds',
    'The ladder stands behind the shed, and whoever takes it has...',
    'The ladder stands behind the shed, and whoever takes it has SECRET. It is old.',
    { title: 'The ladder stands behind the shed, and whoever takes it has hidden', narrative: 'It is old.' },
  ],
  ['nothing', '', '', null],
])('what was saved by hand with %s', (_, title, narrative, expected) => {
  const row = { ...ROW, memory_session_id: 'manual-orchard', title, narrative, subtitle: 'Manual memory' };
  const found = parseObservation(row, (text) => text.replace('SECRET', 'hidden'));
  if (expected === null) expect(found).toBeNull();
  else expect(found).toMatchObject({ kind: 'note', type: null, saidBy: 'agent', subtitle: '', ...expected });
});

test('a summary has its title from what it says first', () => {
  expect(
    parseSummary({ ...ROW, request: '', completed: 'Planted. All of them.' }, (text) => text),
  ).toMatchObject({
    kind: 'summary',
    title: 'Planted',
    parts: { completed: 'Planted. All of them.', request: '' },
  });
  expect(parseSummary({ ...ROW }, (text) => text)).toBeNull();
});

test('a prompt needs a session, a number and words', () => {
  const row = { ...ROW, claude_session_id: 's', prompt_number: 2, prompt_text: 'Go' };
  expect([parsePrompt(row), parsePrompt({ ...row, prompt_text: '' })]).toEqual([
    { session: 's', number: 2, text: 'Go', at: ROW.created_at_epoch },
    null,
  ]);
});

test.each<[string, Record<string, unknown>, string]>([
  ['its folder', { project: 'orchard' }, 'orchard'],
  ['a worktree', { project: 'orchard/shed' }, 'orchard'],
  ['an adopted worktree', { project: 'shed', merged_into_project: 'orchard' }, 'orchard'],
  ['nothing', { project: '' }, 'unknown'],
])('a project is named after %s', (_, row, name) => {
  expect(readProjectName(row)).toBe(name);
});
