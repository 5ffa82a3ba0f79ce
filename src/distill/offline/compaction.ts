import type { Summary } from '../../model/memory.ts';
import { MARKERS } from './rating/markers.ts';
import { readSentences } from './text/sentences.ts';
import { joinSentences, shorten } from './text/shorten.ts';

const LONGEST_REQUEST = 300;
const LONGEST_STEPS = 800;
const LONGEST_NOTES = 1_600;
/** “7. Pending Tasks:” as the client asks for it; others write as they like. */
const heading = /^\s*(?:#+\s*)?(?:\d+\.\s+)?\**([A-Z][^:\n*]{3,60}?)\**:[ \t]*/gm;

const EMPTY: Summary = {
  ...{ request: '', investigated: '', learned: '', completed: '', nextSteps: '', notes: '' },
  ...{ filesRead: [], filesModified: [] },
};

/**
 * What a compaction noted is all that the rest of its session goes by, so it is kept beside what the turn itself
 * tells, also where the turn was nothing but the compaction.
 */
export function addCompaction(summary: Summary | null, noted: string): Summary | null {
  const parts = sectionsOf(noted);
  const told = parts.length > 0 ? lastingIn(noted) : [noted];
  const notes = shorten(joinSentences(told), LONGEST_NOTES);
  if (notes === '') return summary;
  const made = summary ?? EMPTY;
  const asked = find(parts, /^primary request/i) || notes;
  const next = [find(parts, /^pending tasks/i), find(parts, /next step/i)].filter((text) => text !== '');
  return {
    ...made,
    request: made.request || shorten(asked, LONGEST_REQUEST),
    nextSteps: made.nextSteps || shorten(next.join(' '), LONGEST_STEPS),
    notes: [made.notes, `Compacted: ${notes}`].filter((text) => text !== '').join(' '),
  };
}

/** Sections that repeat what the turns themselves tell better, and what was so at that moment only. */
export const repeatedSection =
  /^(?:primary request|key technical|files and code|all user|user messages|current work|critical|task description|conversation)/i;

function lastingIn(noted: string): string[] {
  return readSentences(noted.replace(heading, '\n## $1\n'))
    .filter(
      ({ under, text }) =>
        !repeatedSection.test(under) && !/^(?:pending|optional)/i.test(under) && !MARKERS.open.test(text),
    )
    .map(({ text }) => text);
}

function sectionsOf(noted: string): { name: string; text: string }[] {
  const heads = [...noted.matchAll(heading)];
  return heads.map((head, at) => {
    const end = heads[at + 1]?.index ?? noted.length;
    return { name: head[1] ?? '', text: noted.slice(head.index + head[0].length, end).trim() };
  });
}

function find(parts: { name: string; text: string }[], name: RegExp): string {
  return parts.find((part) => name.test(part.name))?.text ?? '';
}
