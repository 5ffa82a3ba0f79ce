import { expect, test } from 'vitest';
import type { PortableMemory } from '../store/types/port.ts';
import { formatMarkdown } from './markdown.ts';

const AUGUST = new Date(2026, 7, 3, 9, 5).getTime();

test('formats memories by project and day, with all their fields', () => {
  const text = formatMarkdown(
    [
      memory({ project: { name: 'orchard' }, title: 'Second', at: AUGUST + 60_000, facts: ['One\nmore'] }),
      memory({
        project: { name: 'orchard' },
        title: 'First\nof all',
        type: 'decision',
        subtitle: 'Why',
        narrative: '# Not a heading\n```sh\n# a comment\n```',
        concepts: ['harvest'],
        aliases: ['plums'],
        branch: 'main',
        commit: '0123456789abcdef',
        pinnedAt: 1,
        supersededBy: 'k',
        session: { agent: 'claude-code', id: 's' },
        files: [
          { path: 'a.md', how: 'read', hash: null, symbols: [] },
          { path: 'b.md', how: 'write', hash: null, symbols: [] },
        ],
      }),
      memory({
        project: { name: 'meadow' },
        kind: 'summary',
        title: 'Mown',
        parts: {
          ...{ request: 'Mow', investigated: 'The scythe', learned: 'It is blunt', completed: 'Half' },
          ...{ nextSteps: 'Whet it', notes: 'Hot', filesRead: [], filesModified: [] },
        },
      }),
      memory({ title: 'Drink enough', scope: 'global' }),
    ],
    { version: '1.2.3', at: 0 },
  );
  expect(text).toBe(EXPECTED);
});

const EXPECTED = `---
cairn_export: markdown
version: 1.2.3
at: 1970-01-01T00:00:00.000Z
memories: 4
---

# All projects

## 2026-08-03

### Drink enough

*note · 09:05 · applies in every project*

# meadow

## 2026-08-03

### Mown

*summary · 09:05*

**Request:** Mow

**Investigated:** The scythe

**Learned:** It is blunt

**Completed:** Half

**Next steps:** Whet it

**Notes:** Hot

# orchard

## 2026-08-03

### First of all

*decision · 09:05 · pinned · superseded · branch main · commit 0123456789ab · claude-code session s*

**Why**

\\# Not a heading
\`\`\`sh
# a comment
\`\`\`

Files: \`a.md\`, \`b.md\` (changed)

Concepts: harvest

Also known as: plums

### Second

*note · 09:06*

- One
  more
`;

function memory(fields: Partial<PortableMemory>): PortableMemory {
  return {
    ...{ key: 'k', kind: 'note', type: null, title: 'T', subtitle: '', narrative: '', facts: [] },
    ...{ concepts: [], aliases: [], parts: null, scope: 'project', supersededBy: null, strength: 1 },
    ...{ saidBy: 'person', distiller: 'hand', at: AUGUST, pinnedAt: null, editedAt: null, mergedAt: null },
    ...{ project: null, session: null, prompt: null, branch: null, commit: null, files: [] },
    ...fields,
  };
}
