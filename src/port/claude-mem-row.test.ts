import { expect, test } from 'vitest';
import { parseObservation, parsePrompt, parseSummary, readProjectName } from './claude-mem-row.ts';

const ROW = { id: 7, project: 'orchard', created_at_epoch: 1_700_000_000_000 };

test.each<[string, string, string[], string, string[]]>([
  ['a type that both have', 'bugfix', ['problem-solution'], 'bugfix', ['problem-solution']],
  ['a discovery', 'discovery', ['pattern'], 'discovery', ['pattern']],
  ['a trap', 'discovery', ['gotcha'], 'gotcha', ['gotcha']],
  ['how it works', 'discovery', ['how-it-works'], 'how-it-works', ['how-it-works']],
  ['a security alert', 'security_alert', [], 'gotcha', ['security_alert']],
  ['a type of another mode', 'email_thread', [], 'discovery', ['email_thread']],
  ['a row without a type', '', [], 'discovery', []],
])('maps the type of %s', (_, type, concepts, ours, kept) => {
  const row = { ...ROW, title: 'T', type, concepts: JSON.stringify(concepts) };
  expect(parseObservation(row, (text) => text)).toMatchObject({ type: ours, concepts: kept });
});

test.each<[string, Record<string, unknown>, object | null]>([
  [
    'only a text, as in early versions',
    { text: 'Plums are picked in August. In July they are hard.' },
    { title: 'Plums are picked in August', narrative: 'Plums are picked in August. In July they are hard.' },
  ],
  ['a text and a title', { title: 'Plums', text: 'In August.' }, { title: 'Plums', narrative: 'In August.' }],
  ['only facts', { facts: '["One","Two"]' }, { title: 'One', facts: ['One', 'Two'] }],
  ['a list that is not JSON', { title: 'T', facts: '- One\n- Two' }, { facts: ['One', 'Two'] }],
  ['nothing', { title: ' ', narrative: null }, null],
  [
    'a long first sentence with a secret at its end',
    { text: `${'Very '.repeat(21)}SECRET. More.` },
    { title: `${'Very '.repeat(21)}hidden` },
  ],
  ['a time in seconds', { title: 'T', created_at_epoch: 1_700_000_000 }, { at: 1_700_000_000_000 }],
  [
    'a time as text',
    { title: 'T', created_at_epoch: null, created_at: '2023-11-14T22:13:20Z' },
    { at: 1_700_000_000_000, key: 'claude-mem:observations:7@1700000000000' },
  ],
])('parses an observation with %s', (_, fields, expected) => {
  const found = parseObservation({ ...ROW, ...fields }, (text) => text.replace('SECRET', 'hidden'));
  if (expected === null) expect(found).toBeNull();
  else expect(found).toMatchObject(expected);
});

test.each<[string, string, string, object | null]>([
  ['a title', 'Watering', 'Never at noon.', { title: 'Watering', narrative: 'Never at noon.' }],
  ['a generated title', 'Never at noon.', 'Never at noon.', { title: 'Never at noon', narrative: '' }],
  [
    'a generated title that cuts the text',
    'The ladder stands behind the shed, and whoever takes it has...',
    'The ladder stands behind the shed, and whoever takes it has SECRET. It is old.',
    { title: 'The ladder stands behind the shed, and whoever takes it has hidden', narrative: 'It is old.' },
  ],
  ['no text', '', '', null],
])('parses a note by hand with %s', (_, title, narrative, expected) => {
  const row = { ...ROW, memory_session_id: 'manual-orchard', title, narrative, subtitle: 'Manual memory' };
  const found = parseObservation(row, (text) => text.replace('SECRET', 'hidden'));
  if (expected === null) expect(found).toBeNull();
  else expect(found).toMatchObject({ kind: 'note', type: null, saidBy: 'agent', subtitle: '', ...expected });
});

test('takes the title of a summary from its first text', () => {
  expect(
    parseSummary({ ...ROW, request: '', completed: 'Planted. All of them.' }, (text) => text),
  ).toMatchObject({
    kind: 'summary',
    title: 'Planted',
    parts: { completed: 'Planted. All of them.', request: '' },
  });
  expect(parseSummary({ ...ROW }, (text) => text)).toBeNull();
});

test('parses a prompt, and skips one without text', () => {
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
])('reads the project name from %s', (_, row, name) => {
  expect(readProjectName(row)).toBe(name);
});
