import { toOneLine } from '../framing/stored-lines.ts';
import { formatReference } from '../model/reference.ts';
import { shorten } from '../model/shorten.ts';
import { countTokens } from '../model/tokens.ts';
import { locateTerms } from '../recall/locate-terms.ts';
import type { NumberedPrompt } from '../store/types/history.ts';
import type { StoredMemory } from '../store/types/memory.ts';
import { describeAuthor } from './colleagues.ts';
import { formatDayAndTime } from './words.ts';

/** Start and end of a word in a text. */
export type Place = [number, number];

/**
 * One line of an index: enough to decide whether it is worth opening. In parts, because a terminal colours them;
 * `entryLine` returns the plain line.
 */
export interface IndexEntry {
  /** The reference to open it: `#12`, `p34`. */
  id: string;
  type: string;
  at: number;
  title: string;
  /** Where the title has words of the search: start and end of each. */
  matches?: Place[];
  /** The claim that matches the search best, if the title does not. */
  claim?: { position: number; text: string; matches?: Place[] };
  /** The file that it is about. */
  file?: string;
  tokens: number;
  project: string | null;
  /** Warnings: its file has changed, another memory replaced it. */
  marks: string[];
  reasons: string[];
}

const TITLE_LENGTH = 140;
const CLAIM_LENGTH = 200;

export function entryOfMemory(
  memory: StoredMemory,
  {
    marks = [],
    reasons = [],
    claim,
    file,
  }: Partial<Pick<IndexEntry, 'marks' | 'reasons' | 'claim' | 'file'>> = {},
): IndexEntry {
  const { id, type, kind, at, title, tokens, project } = memory;
  return {
    id: formatReference({ what: 'memory', id }),
    type: type ?? kind,
    at,
    title: shorten(title, TITLE_LENGTH),
    ...(claim && { claim: { ...claim, text: shorten(claim.text, CLAIM_LENGTH) } }),
    ...(file !== undefined && { file }),
    tokens,
    project,
    marks: [...stateMarks(memory), ...marks],
    reasons,
  };
}

/** Adds the places of these terms in the title and the claim. */
export function markPlaces(entry: IndexEntry, terms: ReadonlySet<string>): IndexEntry {
  const placesIn = (text: string) => locateTerms(text, terms).map(({ start, end }): Place => [start, end]);
  const { title, claim } = entry;
  return {
    ...entry,
    matches: placesIn(title),
    ...(claim && { claim: { ...claim, matches: placesIn(claim.text) } }),
  };
}

export function entryOfPrompt(prompt: NumberedPrompt, reasons: string[] = []): IndexEntry {
  const { id, at, text, project } = prompt;
  return {
    id: formatReference({ what: 'prompt', id }),
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
  { id, type, at, title, claim, tokens, project, marks, reasons }: IndexEntry,
  { time = formatDayAndTime(at), withProject = false } = {},
): string {
  const facts = [
    title,
    claim && `says: ${claim.text}`,
    `${tokens} tokens`,
    withProject && project,
    ...marks,
    reasons.length > 0 && `(${reasons.join(', ')})`,
  ];
  return toOneLine(`${id} ${type} ${time} · ${facts.filter(Boolean).join(' · ')}`);
}

function stateMarks({ supersededBy, pinnedAt, author }: StoredMemory): string[] {
  return [
    ...(author === null ? [] : [describeAuthor(author)]),
    ...(supersededBy === null
      ? []
      : [`replaced by ${formatReference({ what: 'memory', id: supersededBy })}`]),
    ...(pinnedAt === null ? [] : ['pinned']),
  ];
}
