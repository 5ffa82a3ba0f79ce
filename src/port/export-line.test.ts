import { expect, test } from 'vitest';
import type { PortableMemory } from '../store/types/port.ts';
import { checkHeader, formatHeader, formatMemory, parseMemory } from './export-line.ts';

const LEAST = { key: 'k', kind: 'note', title: 'T', at: '2026-02-03T10:00:00.000Z' };

const FULL: PortableMemory = {
  key: 'cairn:1:x',
  kind: 'summary',
  type: null,
  title: 'Plum trees',
  subtitle: '',
  narrative: 'Line one\nline two \u2028 "quoted"',
  facts: ['One'],
  concepts: ['harvest'],
  aliases: ['Zwetschgen'],
  parts: {
    request: 'Plant them',
    investigated: '',
    learned: '',
    completed: 'Planted',
    nextSteps: '',
    notes: '',
    filesRead: [],
    filesModified: ['a.md'],
  },
  scope: 'global',
  supersededBy: 'cairn:2:x',
  strength: 2,
  saidBy: 'distiller',
  distiller: 'offline',
  at: 1_770_000_000_123,
  pinnedAt: 1_770_000_000_124,
  editedAt: null,
  mergedAt: 1_770_000_000_125,
  project: { name: 'orchard', path: '/orchard' },
  session: { agent: 'claude-code', id: 'one' },
  prompt: 3,
  branch: 'main',
  commit: 'abc',
  files: [{ path: 'a.md', how: 'write', hash: 'beef', symbols: ['plums'] }],
};

test('a line says everything', () => {
  expect(formatMemory(FULL)).not.toContain('\n');
  expect(parseMemory(formatMemory(FULL))).toEqual(FULL);
});

test('what is left out is empty', () => {
  expect(parseMemory(JSON.stringify({ ...LEAST, later: 'unknown' }))).toEqual({
    ...{ key: 'k', kind: 'note', type: null, title: 'T', subtitle: '', narrative: '' },
    ...{ facts: [], concepts: [], aliases: [], parts: null, scope: 'project', supersededBy: null },
    ...{ strength: 1, saidBy: 'person', distiller: 'hand', at: Date.parse(LEAST.at) },
    ...{ pinnedAt: null, editedAt: null, mergedAt: null, project: null, session: null },
    ...{ prompt: null, branch: null, commit: null, files: [] },
  });
});

test.each<[string, string, string]>([
  ['no JSON', '{"key":', 'it is not JSON'],
  ['no object', '[1]', 'the line: expected object'],
  ['no key', JSON.stringify({ ...LEAST, key: undefined }), 'key: expected string'],
  ['an empty title', JSON.stringify({ ...LEAST, title: '' }), 'title: it is empty'],
  ['a time that is none', JSON.stringify({ ...LEAST, at: 'soon' }), 'at: expected a time'],
  [
    'a kind that is none',
    JSON.stringify({ ...LEAST, kind: 'poem' }),
    'kind: expected one of observation, summary, note',
  ],
  ['facts that are no list', JSON.stringify({ ...LEAST, facts: 'one' }), 'facts: expected array'],
  ['a file without path', JSON.stringify({ ...LEAST, files: [{ how: 'read' }] }), 'files.0.path: '],
  ['a summary without parts', JSON.stringify({ ...LEAST, kind: 'summary' }), 'parts: a summary has them'],
  ['superseded by nothing', JSON.stringify({ ...LEAST, status: 'superseded' }), 'supersededBy: '],
])('%s is told', (_, line, problem) => {
  expect(parseMemory(line)).toEqual({ problem: expect.stringContaining(problem) });
});

test.each<[string, string, string | null]>([
  ['ours', formatHeader('1.2.3', 0), null],
  ['a newer one', '{"cairn_export":2}', 'it was written by a newer Cairn (format 2, this one reads 1).'],
  ['something else', '{"name":"x"}', 'this is not an export of Cairn: its first line does not say so.'],
  ['no JSON', 'hello', 'this is not an export of Cairn: its first line does not say so.'],
])('the header of %s', (_, line, problem) => {
  expect(checkHeader(line)).toBe(problem);
});
