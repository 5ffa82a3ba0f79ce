/** Replaces a private part. */
export const PRIVATE_MARK = '[private]';

/** The tag for private parts; the other tags enclose context that a memory tool gave the agent earlier. */
const PRIVATE_TAG = 'private';

const TAG =
  /(?:<|\\u003c)\s{0,9}(\\?\/)?\s{0,9}(private|cairn-context|cairn-notes|claude-mem-context)(?=[\s/>\\])((?:(?!\\u003[ce])[^<>]){0,500})(?:>|\\u003e)/gi;

const TAG_NAME = /private|cairn-context|cairn-notes|claude-mem-context/i;
const CONTEXT_NAME = /cairn-context|cairn-notes|claude-mem-context/i;

/** A text that still forms new tags after this many rounds was built to do so. */
const MOST_ROUNDS = 8;

interface Stripped {
  text: string;
  /** The tag that is still open at the end, if the text is to be continued elsewhere. */
  open?: string;
}

/**
 * The text without its private parts and without context that was injected earlier. An unclosed tag reaches to the
 * end of the text; a closing tag without an opening one reaches back to the start.
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

function stripOnce(text: string, openBefore?: string): Stripped {
  let clean = '';
  let copied = 0;
  let open = openBefore;
  let depth = open === undefined ? 0 : 1;
  TAG.lastIndex = 0;
  for (let tag = TAG.exec(text); tag !== null; tag = TAG.exec(text)) {
    const name = (tag[2] ?? '').toLowerCase();
    const closes = tag[1] !== undefined;
    const empty = (tag[3] ?? '').trimEnd().endsWith('/');
    if (open === undefined) {
      if (closes) clean = markFor(name);
      else clean += text.slice(copied, tag.index);
      if (!closes && empty) clean += markFor(name);
      if (!closes && !empty) [open, depth] = [name, 1];
    } else if (name === open && !empty) {
      depth += closes ? -1 : 1;
      if (depth === 0) {
        clean += markFor(name);
        open = undefined;
      }
    }
    copied = TAG.lastIndex;
  }
  if (open !== undefined) return { text: clean + markFor(open), open };
  return { text: copied === 0 ? text : clean + text.slice(copied) };
}

function markFor(tag: string): string {
  return tag === PRIVATE_TAG ? PRIVATE_MARK : '';
}
