import { showControls } from '../../platform/control-characters.ts';
import { cutToColumns, widthOf } from './columns.ts';

export type Paint = ReturnType<typeof createPaint>;

/** Random per process, so stored text cannot contain it. */
const KEY = Math.random().toString(36).slice(2);
const MARK = new RegExp(`\\u001b${KEY}:(\\d+);`);

/** Colours only on a terminal, as marks that only `toTerminal` converts to escape codes. */
export function createPaint(enabled: boolean) {
  const style = (open: number, close: number) => (text: string) =>
    enabled ? `\u001b${KEY}:${open};${text}\u001b${KEY}:${close};` : text;
  return {
    bold: style(1, 22),
    dim: style(2, 22),
    red: style(31, 39),
    green: style(32, 39),
    yellow: style(33, 39),
    cyan: style(36, 39),
  };
}

/** Shortens the text to this many columns with `…`. Colours take no columns. */
export function cutPainted(text: string, columns: number): string {
  const parts = text.split(MARK);
  if (paintedWidth(text) <= columns) return text;
  let room = columns;
  let isFull = false;
  return parts
    .map((part, index) => {
      if (index % 2 === 1) return `\u001b${KEY}:${part};`;
      if (isFull) return '';
      isFull = widthOf(part) >= room;
      const kept = isFull ? cutToColumns(`${part} `.padEnd(room + 1), room) : part;
      room -= widthOf(kept);
      return kept;
    })
    .join('');
}

/**
 * Wraps the text to this many columns and indents all but the first line. Long words stay whole. Colours take no
 * columns.
 */
export function wrapPainted(text: string, columns: number, indent: number): string {
  let line = '';
  const lines: string[] = [];
  for (const word of text.match(/\s*\S+/g) ?? []) {
    if (line.trim() !== '' && paintedWidth(line + word) > columns) {
      lines.push(line);
      line = ' '.repeat(indent) + word.trimStart();
    } else line += word;
  }
  return [...lines, line].join('\n');
}

function paintedWidth(text: string): number {
  return widthOf(
    text
      .split(MARK)
      .filter((_, index) => index % 2 === 0)
      .join(''),
  );
}

/** Prepares text for a terminal or a pipe: only the control sequences of our own colours take effect. */
export function toTerminal(text: string): string {
  // The pattern has one group, so every second part is the colour code of a mark.
  const parts = text.split(MARK);
  return parts.map((part, index) => (index % 2 === 1 ? `\u001b[${part}m` : showControls(part))).join('');
}
