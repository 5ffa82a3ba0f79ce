/** Memories may contain any text: it becomes this tree and then nodes, never HTML. */
export type Inline = string | { kind: 'code' | 'strong' | 'em' | 'link'; text: string };

export type Block =
  | { kind: 'paragraph'; lines: Inline[][] }
  | { kind: 'heading'; text: Inline[] }
  | { kind: 'list'; isOrdered: boolean; items: Inline[][] }
  | { kind: 'code'; text: string };

const ITEM = /^\s{0,3}(?:([-*+])|\d{1,3}[.)])\s+(.*)$/;
const HEADING = /^#{1,6}\s+(.*?)\s*#*$/;
const FENCE = /^\s{0,3}(```+|~~~+)/;
/** Matches only at the first of several backticks; otherwise a long row would be searched from each of them. */
const CODE = /(?<!`)(`+)([^`](?:.*?[^`])?)\1/g;
/** Links show their whole address, so the text cannot hide it. */
const NO_CODE = /\*\*(?=\S)(.+?)\*\*|(?<![\w*])\*(?=\S)([^*]+?)\*(?!\w)|(https:\/\/[^\s<>"'`)\]]+)/;

const INLINE = new RegExp(`${CODE.source}|${NO_CODE.source}`, 'g');

/** Parses the subset of Markdown that people and models write into memories. Everything else stays plain text. */
export function parseMarkdown(text: string): Block[] {
  const blocks: Block[] = [];
  const lines = text.split(/\r?\n/);
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? '';
    const fence = FENCE.exec(line)?.[1];
    if (fence !== undefined) {
      const end = lines.findIndex((later, index) => index > at && later.trim().startsWith(fence));
      const stop = end === -1 ? lines.length : end;
      blocks.push({ kind: 'code', text: lines.slice(at + 1, stop).join('\n') });
      at = stop;
      continue;
    }
    if (line.trim() === '') {
      blocks.push({ kind: 'paragraph', lines: [] });
      continue;
    }
    const heading = HEADING.exec(line)?.[1];
    const item = ITEM.exec(line);
    const last = blocks.at(-1);
    if (heading !== undefined) blocks.push({ kind: 'heading', text: parseInline(heading) });
    else if (item) {
      const isOrdered = item[1] === undefined;
      const inline = parseInline(item[2] ?? '');
      if (last?.kind === 'list' && last.isOrdered === isOrdered) last.items.push(inline);
      else blocks.push({ kind: 'list', isOrdered, items: [inline] });
    } else if (last?.kind === 'paragraph') last.lines.push(parseInline(line));
    else blocks.push({ kind: 'paragraph', lines: [parseInline(line)] });
  }
  return blocks.filter((block) => block.kind !== 'paragraph' || block.lines.length > 0);
}

export function parseInline(text: string): Inline[] {
  const parts: Inline[] = [];
  let from = 0;
  for (const match of text.matchAll(INLINE)) {
    if (match.index > from) parts.push(text.slice(from, match.index));
    from = match.index + match[0].length;
    const [, , code, strong, em, href] = match;
    if (code !== undefined) parts.push({ kind: 'code', text: code });
    else if (strong !== undefined) parts.push({ kind: 'strong', text: strong });
    else if (em !== undefined) parts.push({ kind: 'em', text: em });
    else if (href !== undefined) parts.push({ kind: 'link', text: href });
  }
  if (from < text.length) parts.push(text.slice(from));
  return parts;
}

/** Splits a line into code and text. `at` is the offset of a part in the line. */
export function splitCode(text: string): { part: string; isCode: boolean; at: number }[] {
  const parts: { part: string; isCode: boolean; at: number }[] = [];
  let from = 0;
  for (const { index, 0: whole, 1: ticks = '', 2: code = '' } of text.matchAll(CODE)) {
    if (index > from) parts.push({ part: text.slice(from, index), isCode: false, at: from });
    parts.push({ part: code, isCode: true, at: index + ticks.length });
    from = index + whole.length;
  }
  if (from < text.length) parts.push({ part: text.slice(from), isCode: false, at: from });
  return parts;
}
