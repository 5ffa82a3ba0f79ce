import { oneLine } from '../framing/stored-lines.ts';
import { sayReference } from '../model/reference.ts';
import { shorten } from '../model/shorten.ts';
import { countTokens } from '../model/tokens.ts';
import type { NumberedPrompt } from '../store/history-store.ts';
import type { StoredMemory } from '../store/memory-store.ts';

/**
 * One line of an index: enough to decide whether it is worth opening. In parts, so that a terminal can paint
 * them; `entryLine` is the plain line.
 */
export interface IndexEntry {
  /** As it is to be said to open it: `#12`, `p34`. */
  id: string;
  /** decision, gotcha …, summary, note, prompt. */
  type: string;
  at: number;
  title: string;
  /** What it costs to open it. */
  tokens: number;
  project: string | null;
  /** What has to be known before it is relied on: its file has changed, another memory took its place. */
  marks: string[];
  /** Why it was found. */
  reasons: string[];
}

const TITLE_LENGTH = 140;

export function entryOfMemory(
  memory: StoredMemory,
  { marks = [], reasons = [] }: Partial<Pick<IndexEntry, 'marks' | 'reasons'>> = {},
): IndexEntry {
  const { id, type, kind, at, title, tokens, project } = memory;
  return {
    id: sayReference({ what: 'memory', id }),
    type: type ?? kind,
    at,
    title: shorten(title, TITLE_LENGTH),
    tokens,
    project,
    marks: [...standing(memory), ...marks],
    reasons,
  };
}

export function entryOfPrompt(prompt: NumberedPrompt, reasons: string[] = []): IndexEntry {
  const { id, at, text, project } = prompt;
  return {
    id: sayReference({ what: 'prompt', id }),
    type: 'prompt',
    at,
    title: shorten(text, TITLE_LENGTH),
    tokens: countTokens(text),
    project,
    marks: [],
    reasons,
  };
}

export function entryLine(
  { id, type, at, title, tokens, project, marks, reasons }: IndexEntry,
  { time = dayAndTime(at), withProject = false } = {},
): string {
  const facts = [
    title,
    `${tokens} tokens`,
    withProject && project,
    ...marks,
    reasons.length > 0 && `(${reasons.join(', ')})`,
  ];
  return oneLine(`${id} ${type} ${time} · ${facts.filter(Boolean).join(' · ')}`);
}

/** The person's own time: what they call yesterday. */
export function dayAndTime(at: number): string {
  return `${day(at)} ${clock(at)}`;
}

export function day(at: number): string {
  const date = new Date(at);
  return [String(date.getFullYear()), two(date.getMonth() + 1), two(date.getDate())].join('-');
}

export function clock(at: number): string {
  const date = new Date(at);
  return `${two(date.getHours())}:${two(date.getMinutes())}`;
}

function two(number: number): string {
  return String(number).padStart(2, '0');
}

function standing({ supersededBy, pinnedAt }: StoredMemory): string[] {
  return [
    ...(supersededBy === null ? [] : [`replaced by ${sayReference({ what: 'memory', id: supersededBy })}`]),
    ...(pinnedAt === null ? [] : ['pinned']),
  ];
}
