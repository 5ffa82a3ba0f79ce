import { matchAt } from './connectors.ts';
import type { Edit } from './edits.ts';
import { formatMark } from './mark.ts';

/** A terminal control sequence that was removed from a text. */
interface Sequence {
  /** Its position in the text without sequences. */
  at: number;
  /** 1 if a newline replaces it: the sequence moves the cursor, so the following text is another word. */
  width: 0 | 1;
  text: string;
}

/** A text as a terminal shows it. */
export interface ShownText {
  text: string;
  /** Its control sequences, to restore them; computed on demand. */
  sequences: () => Sequence[];
  /** Adjusts the positions of the sequences to the edits. */
  move: (edits: Edit[]) => void;
  /** Redacts the texts inside the sequences. @returns whether there were any. */
  redactBodies: (redact: (text: string) => string) => boolean;
}

/** The text without its control sequences, or undefined if it has none. */
export function hideSequences(text: string): ShownText | undefined {
  if (!mayHoldSequence(text)) return undefined;
  const uncoloured = hideColours(text);
  const hidden = uncoloured === undefined ? hideAll(text) : undefined;
  if (hidden?.sequences.length === 0) return undefined;
  let sequences = hidden?.sequences;
  const findSequences = () => (sequences ??= hideAll(text).sequences);
  return {
    text: uncoloured ?? hidden?.text ?? text,
    sequences: findSequences,
    move: (edits) => {
      sequences = moveSequences(findSequences(), edits);
    },
    // Colours contain no text.
    redactBodies: (redact) => uncoloured === undefined && redactBodies(findSequences(), redact),
  };
}

const ESCAPE = String.fromCharCode(0x1b);
const BELL = String.fromCharCode(0x07);
const CSI = String.fromCharCode(0x9b);
const SHOWN_ESCAPE = '\u241b';

/**
 * Soft hyphens, zero-width spaces and the like: chat programs and web pages put them into long words. Finding a
 * zero-width space with `includes` takes three times as long as with a pattern, because V8 searches for its upper
 * byte, which is a space.
 */
const INVISIBLE = ['\u00ad', '\u2060', '\ufeff'];
const ZERO_WIDTH = /[\u200b-\u200d]/;

/** A first check with `includes`, which is twenty times as fast as a pattern. */
function mayHoldSequence(text: string): boolean {
  if (text.includes(ESCAPE) || text.includes(CSI) || text.includes(SHOWN_ESCAPE)) return true;
  if (ZERO_WIDTH.test(text) || INVISIBLE.some((character) => text.includes(character))) return true;
  for (let index = text.indexOf('['); index !== -1; index = text.indexOf('[', index + 1)) {
    const code = text.charCodeAt(index + 1);
    if ((code >= 48 && code <= 57) || (code === 91 && text.charAt(index - 1) === '^')) {
      if (matchAt(LOST_ESCAPE, text, index) !== null || code === 91) return true;
    }
  }
  for (let index = text.indexOf('\\'); index !== -1; index = text.indexOf('\\', index + 1)) {
    if ('ux03eUX'.includes(text.charAt(index + 1)) && matchAt(WRITTEN, text, index) !== null) return true;
  }
  return false;
}

const LOST_ESCAPE = /\[\d{1,3}(?:;\d{1,3}){0,5}m/iy;
const WRITTEN = /\\(?:u00|x)[19]b|\\0?33|\\e\[/iy;

const UNITS = 32_768;
let units: { bytes: Buffer; codes: Uint16Array } | undefined;

/**
 * The text without colours, if these are its only sequences: the output of a test run has one for every ten
 * characters, and matching and cutting each of them takes five times as long as copying the rest.
 */
function hideColours(text: string): string | undefined {
  if (!text.includes(ESCAPE)) return undefined;
  if (units === undefined) {
    const codes = new Uint16Array(UNITS);
    units = { bytes: Buffer.from(codes.buffer), codes };
  }
  const { bytes, codes } = units;
  let shown = '';
  for (let from = 0; from < text.length; ) {
    const part = text.length <= UNITS ? text : text.slice(from, from + UNITS);
    bytes.write(part, 0, 'utf16le');
    const isLast = from + part.length === text.length;
    const { read, kept } = dropColours(codes, part.length, isLast);
    if (read === 0) return undefined;
    shown += bytes.toString('utf16le', 0, kept * 2);
    from += read;
  }
  return mayHoldSequence(shown) ? undefined : shown;
}

const LONGEST_COLOUR = 28;

/**
 * Moves everything but colours to the front. @returns how much was read and kept; reads nothing if there is another
 * sequence.
 */
function dropColours(codes: Uint16Array, length: number, isLast: boolean): { read: number; kept: number } {
  let kept = 0;
  let index = 0;
  while (index < length) {
    const code = codes[index] ?? 0;
    if (code !== 0x1b) {
      codes[kept++] = code;
      index++;
      continue;
    }
    if (!isLast && index + LONGEST_COLOUR > length) return { read: index, kept };
    const end = endOfColour(codes, index, length);
    if (end === -1) return { read: 0, kept: 0 };
    index = end;
  }
  return { read: index, kept };
}

function endOfColour(codes: Uint16Array, start: number, length: number): number {
  if (codes[start + 1] !== 91) return -1;
  const limit = Math.min(length, start + LONGEST_COLOUR - 1);
  for (let index = start + 2; index < limit; index++) {
    const code = codes[index] ?? 0;
    if (code === 109) return index + 1;
    if (code < 48 || code > 59 || code === 58) return -1;
  }
  return -1;
}

/**
 * CSI and OSC sequences, and the beginnings of other strings for the terminal: raw, as C1 controls, in the escapes of
 * JSON, C, shells and `cat -v`, and colours whose escape character was lost on the way. Invisible characters as well.
 */
function sequencePattern(): RegExp {
  const parameters = '([0-?]{0,24}[ -/]{0,2}[@-~])';
  const writtenEscape = String.raw`\\{1,4}(?:u00|x)1b|\\{1,4}0?33|\\{1,4}e(?=\[)|\^\[(?=\[)`;
  const oscEnd = String.raw`(?:${BELL}|${ESCAPE}\\|\\{1,4}(?:u0007|a|x07)|\\{1,4}(?:u00|x)1b\\{1,4})`;
  return new RegExp(
    [
      String.raw`${ESCAPE}\[[0-9;]{0,24}m`,
      String.raw`(?:${ESCAPE}|\u241b|${writtenEscape})(?:\[${parameters}|\][^${BELL}${ESCAPE}\n\\]{0,400}${oscEnd}|[()][0-9A-B]|[=>78cDEHMNOZ])`,
      String.raw`(?:${CSI}|\\{1,4}(?:u00|x)9b)${parameters}`,
      String.raw`(\[\d{1,3}(?:;\d{1,3}){0,5}m)`,
      `(?:${ESCAPE}|${writtenEscape})P[0-?]{0,24}[ -/]{0,2}[@-~]|${ESCAPE}[X^_]`,
      `${ZERO_WIDTH.source}|${INVISIBLE.join('|')}`,
    ].join('|'),
    'gi',
  );
}

/** Colours and erasures neither print text nor move the cursor. */
const STAYS = /[mKhlsu]$/;

let anySequence: RegExp | undefined;

function hideAll(text: string): { text: string; sequences: Sequence[] } {
  anySequence ??= sequencePattern();
  const sequences: Sequence[] = [];
  let shown = '';
  let copied = 0;
  anySequence.lastIndex = 0;
  for (let hit = anySequence.exec(text); hit !== null; hit = anySequence.exec(text)) {
    shown += text.slice(copied, hit.index);
    copied = anySequence.lastIndex;
    const parameters = hit[1] ?? hit[2] ?? hit[3];
    const width = parameters === undefined || STAYS.test(parameters) ? 0 : 1;
    sequences.push({ at: shown.length, width, text: hit[0] });
    if (width === 1) shown += '\n';
  }
  return { text: shown + text.slice(copied), sequences };
}

/** The sequences after the edits; those inside a secret are removed with it. */
function moveSequences(sequences: Sequence[], edits: Edit[]): Sequence[] {
  const moved: Sequence[] = [];
  let next = 0;
  let shift = 0;
  for (const sequence of sequences) {
    for (let edit = edits[next]; edit !== undefined && edit.end <= sequence.at; edit = edits[++next]) {
      shift += formatMark(edit.kind).length - (edit.end - edit.start);
    }
    const edit = edits[next];
    if (edit !== undefined && edit.start < sequence.at + sequence.width && sequence.at < edit.end) continue;
    if (edit !== undefined && edit.start < sequence.at) continue;
    moved.push({ ...sequence, at: sequence.at + shift });
  }
  return moved;
}

/** A title, a link or a text for the clipboard, between its beginning and its end. */
function bodyPattern(): RegExp {
  return new RegExp(
    String.raw`^([^\]]{1,12}\])([^]{8,400}?)(${BELL}|${ESCAPE}\\|\\{1,4}(?:u0007|a|x07)|\\{1,4}(?:u00|x)1b\\{1,4})$`,
    'i',
  );
}

function redactBodies(sequences: Sequence[], redact: (text: string) => string): boolean {
  const pattern = bodyPattern();
  let changed = false;
  for (const sequence of sequences) {
    const [, start = '', body = '', end = ''] = pattern.exec(sequence.text) ?? [];
    const clean = redact(body);
    if (clean === body) continue;
    sequence.text = start + clean + end;
    changed = true;
  }
  return changed;
}

export function showSequences(text: string, sequences: Sequence[]): string {
  let whole = '';
  let copied = 0;
  for (const sequence of sequences) {
    whole += text.slice(copied, sequence.at) + sequence.text;
    copied = sequence.at + sequence.width;
  }
  return whole + text.slice(copied);
}

export function isBehindSequence(sequences: Sequence[], index: number): boolean {
  let low = 0;
  let high = sequences.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const { at = 0, width = 0 } = sequences[middle] ?? {};
    if (at + width < index) low = middle + 1;
    else high = middle;
  }
  const found = sequences[low];
  return found !== undefined && found.at + found.width === index;
}
