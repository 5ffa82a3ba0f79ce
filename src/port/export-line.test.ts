import { expect, test } from 'vitest';
import type { PortableMemory } from '../store/types/port.ts';
import { checkHeader, formatExportLine, formatHeader, parseMemory } from './export-line.ts';

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

test('a line contains every field of a memory', () => {
  expect(formatExportLine(FULL)).not.toContain('\n');
  expect(parseMemory(formatExportLine(FULL))).toEqual(FULL);
});

test('missing fields are empty, and unknown fields are ignored', () => {
  expect(parseMemory(JSON.stringify({ ...LEAST, later: 'unknown' }))).toEqual({
    ...{ key: 'k', kind: 'note', type: null, title: 'T', subtitle: '', narrative: '' },
    ...{ facts: [], concepts: [], aliases: [], parts: null, scope: 'project', supersededBy: null },
    ...{ strength: 1, saidBy: 'person', distiller: 'hand', at: Date.parse(LEAST.at) },
    ...{ pinnedAt: null, editedAt: null, mergedAt: null, project: null, session: null },
    ...{ prompt: null, branch: null, commit: null, files: [] },
  });
});

test.each<[string, string, string]>([
  ['invalid JSON', '{"key":', 'it is not JSON'],
  ['an array', '[1]', 'the line: expected object'],
  ['a missing key', JSON.stringify({ ...LEAST, key: undefined }), 'key: expected string'],
  ['an empty title', JSON.stringify({ ...LEAST, title: '' }), 'title: it is empty'],
  ['an invalid time', JSON.stringify({ ...LEAST, at: 'soon' }), 'at: expected a time'],
  [
    'an unknown kind',
    JSON.stringify({ ...LEAST, kind: 'poem' }),
    'kind: expected one of observation, summary, note',
  ],
  ['facts that are not a list', JSON.stringify({ ...LEAST, facts: 'one' }), 'facts: expected array'],
  ['a file without a path', JSON.stringify({ ...LEAST, files: [{ how: 'read' }] }), 'files.0.path: '],
  ['a summary without parts', JSON.stringify({ ...LEAST, kind: 'summary' }), 'parts: a summary has them'],
  [
    'a superseded memory without its replacement',
    JSON.stringify({ ...LEAST, status: 'superseded' }),
    'supersededBy: ',
  ],
])('reports %s', (_, line, problem) => {
  expect(parseMemory(line)).toEqual({ problem: expect.stringContaining(problem) });
});

test.each<[string, string, string | null]>([
  ['a current export', formatHeader('1.2.3', 0), null],
  ['a newer export', '{"cairn_export":2}', 'it was written by a newer Cairn (format 2, this one reads 1).'],
  ['another JSON file', '{"name":"x"}', 'it is not an export of Cairn: its first line has no header.'],
  ['a text file', 'hello', 'it is not an export of Cairn: its first line has no header.'],
])('checks the header of %s', (_, line, problem) => {
  expect(checkHeader(line)).toBe(problem);
});
