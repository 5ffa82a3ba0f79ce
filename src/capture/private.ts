import { DATA_SENTENCE } from '../model/framed.ts';

/** Replaces a private part. */
export const PRIVATE_MARK = '[private]';

/** The tag for private parts; the other tags enclose context that a memory tool gave the agent earlier. */
const PRIVATE_TAG = 'private';

const TAG =
  /(?:<|\\u003c)\s{0,9}(\\?\/)?\s{0,9}(private|cairn-context|cairn-notes|claude-mem-context)(?=[\s/>\\])((?:(?!\\u003[ce])[^<>]){0,500})(?:>|\\u003e)/gi;

const TAG_NAME = /private|cairn-context|cairn-notes|claude-mem-context/i;
const CONTEXT_NAME = /cairn-context|cairn-notes|claude-mem-context/i;

/** In a frame the tags have lines of their own, which may be escaped or begin with a line number or a diff mark. */
const BEGINS_WITH_LINE_END = /^[^\S\n]{0,9}(?:\r?\n|\\{1,8}[rn])/;
const ENDS_WITH_LINE_START = /(?:\n|\\n)(?:[^\p{L}\n<>\\]|\\{1,8}[rt]){0,24}$/u;
const LONGEST_LINE_START = 64;

/** A text that still forms new tags after this many rounds was built to do so. */
const MOST_ROUNDS = 8;

interface Stripped {
  text: string;
  /** The tag that is still open at the end, if the text is to be continued elsewhere. */
  open?: string;
}

/**
 * The text without its private parts and without context that was injected earlier. An unclosed private tag reaches to
 * the end of the text; a closing one without an opening one reaches back to the start. Context is removed only as a
 * whole frame: other mentions of its tags belong to the text.
 */
export function stripPrivate(text: string): string {
  return stripPart(text).text;
}

/** Like `stripPrivate` for one part of a longer text: `open` is the tag that the previous part left open. */
export function stripPart(text: string, open?: string): Stripped {
  if (open === undefined && !mayHoldTag(text)) return { text };
  let stripped = stripOnce(text, open);
  if (!CONTEXT_NAME.test(text)) return stripped;
  // After injected context is removed, the text around it may form a tag.
  for (let round = 1; ; round++) {
    const again = stripOnce(stripped.text);
    if (again.text === stripped.text) return stripped;
    if (round === MOST_ROUNDS) return { ...stripped, text: PRIVATE_MARK };
    const stillOpen = stripped.open ?? again.open;
    stripped = { text: again.text, ...(stillOpen !== undefined && { open: stillOpen }) };
  }
}

/** Every tag begins with `<` or `\\u003c`; searching for that first takes a tenth of the time. */
function mayHoldTag(text: string): boolean {
  return (text.includes('<') || text.includes('003')) && TAG_NAME.test(text);
}

/** Whether a prompt is entirely private: only its number is kept. */
export function isWhollyPrivate(text: string): boolean {
  const rest = stripPrivate(text);
  return rest.includes(PRIVATE_MARK) && rest.replaceAll(PRIVATE_MARK, '').trim() === '';
}

interface Opening {
  name: string;
  /** Where the text before the tag ends in the clean text, and where the text after it begins in the original. */
  cleanEnd: number;
  bodyStart: number;
}

function stripOnce(text: string, openBefore?: string): Stripped {
  let clean = '';
  let copied = 0;
  let open = openBefore;
  let depth = open === undefined ? 0 : 1;
  let context: Opening | undefined;
  TAG.lastIndex = 0;
  for (let tag = TAG.exec(text); tag !== null; tag = TAG.exec(text)) {
    const name = (tag[2] ?? '').toLowerCase();
    const closes = tag[1] !== undefined;
    const empty = (tag[3] ?? '').trimEnd().endsWith('/');
    const end = TAG.lastIndex;
    if (open !== undefined) {
      copied = end;
      if (name !== open || empty) continue;
      depth += closes ? -1 : 1;
      if (depth > 0) continue;
      clean += PRIVATE_MARK;
      open = undefined;
    } else if (name !== PRIVATE_TAG) {
      clean += text.slice(copied, tag.index);
      copied = end;
      if (closes && context?.name === name && isFrameBody(text, context.bodyStart, tag.index)) {
        clean = clean.slice(0, context.cleanEnd);
        context = undefined;
        continue;
      }
      context = closes || empty ? undefined : { name, cleanEnd: clean.length, bodyStart: end };
      clean += tag[0];
    } else {
      // Text in a frame is neutralised: a tag that still works shows that this is not one.
      context = undefined;
      clean = closes ? PRIVATE_MARK : clean + text.slice(copied, tag.index);
      copied = end;
      if (!closes && empty) clean += PRIVATE_MARK;
      if (!closes && !empty) [open, depth] = [name, 1];
    }
  }
  if (open !== undefined) return { text: clean + PRIVATE_MARK, open };
  return { text: copied === 0 ? text : clean + text.slice(copied) };
}

/** Whether the text between two tags is framed as Cairn and claude-mem do, also if its line ends were lost since. */
function isFrameBody(text: string, start: number, end: number): boolean {
  if (text.slice(start, end).includes(DATA_SENTENCE)) return true;
  const lineStart = text.slice(Math.max(start, end - LONGEST_LINE_START), end);
  return BEGINS_WITH_LINE_END.test(text.slice(start, start + 24)) && ENDS_WITH_LINE_START.test(lineStart);
}
