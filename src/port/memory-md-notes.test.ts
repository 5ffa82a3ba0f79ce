import { expect, test } from 'vitest';
import { parseNotes } from './memory-md-notes.ts';

test.each<[string, string, unknown[]]>([
  ['a file without notes', '\n# Memory\n\n', []],
  [
    'a bullet with its indented text',
    '# Project Memory\n\n## Build\n- Run `npm run build` first. Tests need dist.\n  - Also after a pull\n\n- Node 20 only\n',
    [
      {
        title: 'Run `npm run build` first',
        subtitle: 'Build',
        narrative: 'Tests need dist.\n- Also after a pull',
        type: null,
      },
      { title: 'Node 20 only', subtitle: 'Build', narrative: '', type: null },
    ],
  ],
  [
    'the line before a list',
    '## Style\nUse these everywhere:\n* **Tabs**: never\n1. Single quotes',
    [
      { title: 'Tabs: never', subtitle: 'Style › Use these everywhere', narrative: '', type: 'preference' },
      { title: 'Single quotes', subtitle: 'Style › Use these everywhere', narrative: '', type: 'preference' },
    ],
  ],
  [
    'a section of text and code',
    '# Orchard\n## Gotchas\nThe port is taken.\n\n```sh\n# stop it\n- not a bullet\n```\n### Deep\nMore.',
    [
      {
        title: 'Gotchas',
        subtitle: 'Orchard',
        narrative: 'The port is taken.\n\n```sh\n# stop it\n- not a bullet\n```',
        type: 'gotcha',
      },
      { title: 'Deep', subtitle: 'Orchard › Gotchas', narrative: 'More.', type: 'gotcha' },
    ],
  ],
  [
    'text after a list',
    '- One thing\n\nAnd then words.',
    [
      { title: 'One thing', subtitle: '', narrative: '', type: null },
      { title: 'And then words', subtitle: '', narrative: '', type: null },
    ],
  ],
  [
    'an index of other files',
    '- [Auth](auth.md) — how to log in\n- [Docs](https://example.com) are outside\n- [Gone](gone.md) is gone',
    [
      { title: '[Docs](https://example.com) are outside', subtitle: '', narrative: '', type: null },
      { title: '[Gone](gone.md) is gone', subtitle: '', narrative: '', type: null },
    ],
  ],
  [
    'a file with front matter',
    '---\nname: no-mocks\ndescription: "Tests use a real database"\ntype: feedback\n---\n\n- One\n- Two\n',
    [{ title: 'Tests use a real database', subtitle: '', narrative: '- One\n- Two', type: 'preference' }],
  ],
  [
    'CRLF line ends',
    '# A\r\n- One\r\n- Two\r\n',
    [
      { title: 'One', subtitle: 'A', narrative: '', type: null },
      { title: 'Two', subtitle: 'A', narrative: '', type: null },
    ],
  ],
])('parses %s', (_, text, notes) => {
  expect(parseNotes(text, ['MEMORY.md', 'auth.md'])).toEqual(notes);
});
