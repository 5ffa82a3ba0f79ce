import type { Framed } from '../../model/framed.ts';

/**
 * Cairn's block in a person's file. Texts are bytes read as latin1, which preserves everything outside the tags byte
 * for byte.
 */
export interface Block {
  before: string;
  inside: string;
  after: string;
}

const OPENING = '<cairn-notes>';
const CLOSING = '</cairn-notes>';

/** A line that begins with a Cairn tag, complete or not; the first line may begin with a BOM. */
const TAG_LINE = /^(?:\xef\xbb\xbf)?[ \t]*(<\s*\/?\s*cairn-notes\b.*)$/gim;
const FENCE = /^ {0,3}(?:```|~~~)/gm;
const LINE_END = /\r?\n$/;

/** @returns null if there is no block. A file whose tags were changed by hand must be left unchanged. */
export function findBlock(text: string): Block | null | { problem: string } {
  const tags = [...text.matchAll(TAG_LINE)].map((match) => {
    const written = match[1] ?? '';
    return { tag: written.trimEnd(), at: match.index + match[0].length - written.length };
  });
  if (tags.length === 0) return null;
  const problem = problemWith(tags.map(({ tag }) => tag));
  const [opening, closing] = tags;
  if (problem || !opening || !closing) return { problem: problem ?? NOT_A_PAIR };
  const before = text.slice(0, opening.at);
  if ((before.match(FENCE)?.length ?? 0) % 2 === 1) return { problem: 'its tags are in a block of code' };
  return {
    before,
    inside: text.slice(opening.at + OPENING.length, closing.at),
    after: text.slice(closing.at + CLOSING.length),
  };
}

const NOT_A_PAIR = `it should have one ${OPENING} and after it one ${CLOSING}`;

function problemWith(tags: string[]): string | undefined {
  const strange = tags.find((tag) => tag !== OPENING && tag !== CLOSING);
  if (strange !== undefined) return 'a line has text after a Cairn tag';
  const openings = tags.filter((tag) => tag === OPENING).length;
  const closings = tags.length - openings;
  if (closings === 0) return `${CLOSING} is missing`;
  if (openings === 0) return `${OPENING} is missing`;
  if (tags[0] === CLOSING) return `${CLOSING} comes before ${OPENING}`;
  return tags.length > 2 ? 'it has more than one block' : undefined;
}

/** Replaces the block, or appends it. */
export function insertBlock(text: string, block: Block | null, notes: Framed): string {
  const lineEnd = /\r?\n/.exec(text)?.[0] ?? '\n';
  const content = notes.split('\n').join(lineEnd);
  const written = Buffer.from(content, 'utf8').toString('latin1');
  if (block) return block.before + written + block.after;
  if (isBlank(text)) return text + written + lineEnd;
  // A text without a final line break stays without one.
  return text.endsWith('\n') ? text + lineEnd + written + lineEnd : text + lineEnd + lineEnd + written;
}

/** The text as it was before the block was added. */
export function removeBlock({ before, after }: Block): string {
  if (isBlank(before)) return before + after.replace(/^[ \t]*\r?\n/, '');
  if (after === '') return before.replace(/\r?\n\r?\n$/, '');
  const rest = after.replace(/^\r?\n/, '');
  const standsApart = /\n\r?\n$/.test(before) && (rest === '' || /^\r?\n/.test(rest));
  return (standsApart ? before.replace(LINE_END, '') : before) + rest;
}

/** Whether a text has only white space or a BOM. */
export function isBlank(text: string): boolean {
  return text.replace(/^\xef\xbb\xbf/, '').trim() === '';
}
