import type { Edit } from './edits.ts';
import { redactionMark } from './mark.ts';

/** A terminal control sequence that was taken out of a text. */
interface Sequence {
  /** Where it was, counted in the text without sequences. */
  at: number;
  /** 1 if a newline holds its place: the sequence moves the cursor, so what follows is another word. */
  width: 0 | 1;
  text: string;
}

/** A text as a terminal shows it, and what is needed to put its control sequences back. */
export interface ShownText {
  text: string;
  sequences: Sequence[];
}

/**
 * CSI and OSC sequences: raw, as C1 controls, in the escapes of JSON, C, shells and `cat -v`, and colours
 * whose escape character was lost on the way.
 */
const ESCAPE = String.fromCharCode(0x1b);
const BELL = String.fromCharCode(0x07);
const CSI = String.fromCharCode(0x9b);
const PARAMETERS = '([0-?]{0,24}[ -/]{0,2}[@-~])';
const WRITTEN_ESCAPE = String.raw`\\{1,4}(?:u00|x)1b|\\{1,4}0?33|\\{1,4}e(?=\[)|\^\[(?=\[)`;
const OSC_END = String.raw`(?:${BELL}|${ESCAPE}\\|\\{1,4}(?:u0007|a|x07)|\\{1,4}(?:u00|x)1b\\{1,4})`;

const SEQUENCE = new RegExp(
  [
    String.raw`${ESCAPE}\[[0-9;]{0,24}m`,
    String.raw`(?:${ESCAPE}|\u241b|${WRITTEN_ESCAPE})(?:\[${PARAMETERS}|\][^${BELL}${ESCAPE}\n\\]{0,400}${OSC_END}|[()][0-9A-B]|[=>78cDEHMNOZ])`,
    String.raw`(?:${CSI}|\\{1,4}(?:u00|x)9b)${PARAMETERS}`,
    String.raw`(\[\d{1,3}(?:;\d{1,3}){0,5}m)`,
  ].join('|'),
  'gi',
);
const ANY_SEQUENCE = new RegExp(
  String.raw`[${ESCAPE}${CSI}\u241b]|\\(?:u00|x)[19]b|\\0?33|\\e\[|\^\[\[|\[\d{1,3}(?:;\d{1,3}){0,5}m`,
  'i',
);
/** Colours and erasures print nothing and move nothing. */
const STAYS = /[mKhlsu]$/;

/** The text without its control sequences, or undefined if it has none. */
export function hideSequences(text: string): ShownText | undefined {
  if (!ANY_SEQUENCE.test(text)) return undefined;
  const sequences: Sequence[] = [];
  let shown = '';
  let copied = 0;
  SEQUENCE.lastIndex = 0;
  for (let hit = SEQUENCE.exec(text); hit !== null; hit = SEQUENCE.exec(text)) {
    shown += text.slice(copied, hit.index);
    copied = SEQUENCE.lastIndex;
    const parameters = hit[1] ?? hit[2] ?? hit[3];
    const width = parameters === undefined || STAYS.test(parameters) ? 0 : 1;
    sequences.push({ at: shown.length, width, text: hit[0] });
    if (width === 1) shown += '\n';
  }
  return sequences.length === 0 ? undefined : { text: shown + text.slice(copied), sequences };
}

/** The sequences where they are after the edits; those inside a secret go with it. */
export function moveSequences(sequences: Sequence[], edits: Edit[]): Sequence[] {
  const moved: Sequence[] = [];
  let next = 0;
  let shift = 0;
  for (const sequence of sequences) {
    for (let edit = edits[next]; edit !== undefined && edit.end <= sequence.at; edit = edits[++next]) {
      shift += redactionMark(edit.kind).length - (edit.end - edit.start);
    }
    const edit = edits[next];
    if (edit !== undefined && edit.start < sequence.at + sequence.width && sequence.at < edit.end) continue;
    if (edit !== undefined && edit.start < sequence.at) continue;
    moved.push({ ...sequence, at: sequence.at + shift });
  }
  return moved;
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

/** Is a sequence right before this place? */
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
