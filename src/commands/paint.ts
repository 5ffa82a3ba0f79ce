import { showControls } from '../platform/control-characters.ts';

export type Paint = ReturnType<typeof createPaint>;

/** Drawn at random by each process: no stored text can contain it. */
const KEY = Math.random().toString(36).slice(2);
const MARK = new RegExp(`\\u001b${KEY}:(\\d+);`);

/** Colours only where a person sees them: as marks that only `toTerminal` turns into a terminal's codes. */
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

/** Text as it may be written to a terminal or a pipe: of all control sequences in it only those of paint work. */
export function toTerminal(text: string): string {
  // The pattern has one group, so every second part is the code of a mark.
  const parts = text.split(MARK);
  return parts.map((part, index) => (index % 2 === 1 ? `\u001b[${part}m` : showControls(part))).join('');
}
