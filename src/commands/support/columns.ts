import { blankControls } from '../../platform/control-characters.ts';

/** The width of a text in a terminal. Chinese, Japanese and Korean characters and most emoji take two columns. */
export function widthOf(text: string): number {
  let width = 0;
  for (const character of text) width += columnsOf(character);
  return width;
}

/** The text on one line, shortened with `…`. */
export function cutToColumns(text: string, columns: number): string {
  const plain = blankControls(text);
  if (widthOf(plain) <= columns) return plain;
  let width = 0;
  let kept = '';
  for (const character of plain) {
    width += columnsOf(character);
    if (width > columns - 1) return `${kept}…`;
    kept += character;
  }
  return kept;
}

function columnsOf(character: string): number {
  if (/\p{M}|\u200d|\ufe0f/u.test(character)) return 0;
  return /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}|[\u{20000}-\u{3fffd}]/u.test(
    character,
  )
    ? 2
    : 1;
}
