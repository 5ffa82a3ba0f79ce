import * as z from 'zod/mini';
import { parseJson } from '../model/json.ts';
import { OBSERVATION_TYPES } from '../model/memory.ts';
import { stringifySafely } from '../platform/control-characters.ts';
import type { PortableMemory } from '../store/types/port.ts';

/** Must be increased when older Cairns cannot read the lines any more. */
const FORMAT = 1;

export function formatHeader(version: string, at: number): string {
  return stringifySafely({ cairn_export: FORMAT, version, at: new Date(at).toISOString() });
}

/** One memory in one line; see docs/export-format.md. */
export function formatExportLine(memory: PortableMemory): string {
  const { supersededBy, at, pinnedAt, editedAt, mergedAt, ...rest } = memory;
  return stringifySafely({
    ...rest,
    status: supersededBy === null ? 'current' : 'superseded',
    supersededBy,
    at: new Date(at).toISOString(),
    pinnedAt: timeIn(pinnedAt),
    editedAt: timeIn(editedAt),
    mergedAt: timeIn(mergedAt),
  });
}

function timeIn(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}

/** @returns the problem with this first line of an export, if any. */
export function checkHeader(line: string): string | null {
  const parsed = z.object({ cairn_export: z.number() }).safeParse(parseJson(line));
  if (!parsed.success) return 'it is not an export of Cairn: its first line has no header.';
  const { cairn_export: format } = parsed.data;
  return format <= FORMAT
    ? null
    : `it was written by a newer Cairn (format ${format}, this one reads ${FORMAT}).`;
}

/** Missing fields count as empty, which allows writing lines by hand. */
export function parseMemory(line: string): PortableMemory | { problem: string } {
  const json = parseJson(line);
  if (json === undefined) return { problem: 'it is not JSON' };
  const parsed = LINE.safeParse(json);
  if (!parsed.success) return { problem: describeIssue(parsed.error.issues) };
  const { status, kind, parts, project, ...rest } = parsed.data;
  if (kind === 'summary' && parts === null) return { problem: 'parts: a summary has them' };
  if (status === 'superseded' && rest.supersededBy === null)
    return { problem: 'supersededBy: the memory that replaced it is missing' };
  const { name, remote, path } = project ?? {};
  return {
    ...rest,
    kind,
    parts: kind === 'summary' ? parts : null,
    project: name === undefined ? null : { name, ...(remote && { remote }), ...(path && { path }) },
  };
}

function describeIssue([first]: readonly z.core.$ZodIssue[]): string {
  const where = first?.path.join('.') || 'the line';
  switch (first?.code) {
    case 'invalid_type':
      return `${where}: expected ${first.expected}`;
    case 'invalid_value':
      return `${where}: expected one of ${first.values.join(', ')}`;
    case 'custom':
      return `${where}: ${first.message}`;
    case 'too_small':
      return `${where}: it is ${first.origin === 'string' ? 'empty' : 'too small'}`;
    default:
      return `${where}: it is not valid`;
  }
}

const text = z._default(z.string(), '');
const texts = z._default(z.array(z.string()), []);
const textOrNull = z._default(z.nullable(z.string()), null);
const filled = z.string().check(z.minLength(1));
const time = z.pipe(
  z.string().check(z.refine((value) => !Number.isNaN(Date.parse(value)), 'expected a time')),
  z.transform((value: string) => Date.parse(value)),
);
const timeOrNull = z._default(z.nullable(time), null);

/** The parts of a summary. */
export const PARTS = z.object({
  ...{ request: text, investigated: text, learned: text, completed: text, nextSteps: text, notes: text },
  filesRead: texts,
  filesModified: texts,
});

/** A file of a memory. */
export const FILE = z.object({
  path: filled,
  how: z.enum(['read', 'write']),
  hash: textOrNull,
  symbols: texts,
});

const LINE = z.object({
  key: filled,
  kind: z.enum(['observation', 'summary', 'note']),
  type: z._default(z.nullable(z.enum(OBSERVATION_TYPES)), null),
  title: filled,
  subtitle: text,
  narrative: text,
  facts: texts,
  concepts: texts,
  aliases: texts,
  parts: z._default(z.nullable(PARTS), null),
  scope: z._default(z.enum(['project', 'global']), 'project'),
  status: z._default(z.enum(['current', 'superseded']), 'current'),
  supersededBy: textOrNull,
  strength: z._default(z.int().check(z.positive()), 1),
  saidBy: z._default(filled, 'person'),
  distiller: z._default(filled, 'hand'),
  at: time,
  pinnedAt: timeOrNull,
  editedAt: timeOrNull,
  mergedAt: timeOrNull,
  project: z._default(
    z.nullable(z.object({ name: filled, remote: z.optional(z.string()), path: z.optional(z.string()) })),
    null,
  ),
  session: z._default(z.nullable(z.object({ agent: filled, id: filled })), null),
  prompt: z._default(z.nullable(z.int()), null),
  branch: textOrNull,
  commit: textOrNull,
  files: z._default(z.array(FILE), []),
});
