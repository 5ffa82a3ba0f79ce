const SLACK = 1.08;

let canvas: CanvasRenderingContext2D | null = null;
const widths = new Map<string, number>();
const MOST_WIDTHS = 5_000;

/** Estimates the number of lines of a text without drawing it. Words do not fill lines completely, hence the slack. */
export function countLines(text: string, font: string, width: number, most: number): number {
  const whole = widthOf(text, font);
  return whole <= width ? 1 : Math.min(most, Math.ceil((whole * SLACK) / width));
}

function widthOf(text: string, font: string): number {
  const key = `${font} ${text}`;
  const known = widths.get(key);
  if (known !== undefined) return known;
  canvas ??= document.createElement('canvas').getContext('2d');
  if (!canvas) return 0;
  canvas.font = `${font} ${getComputedStyle(document.body).fontFamily}`;
  const { width } = canvas.measureText(text);
  if (widths.size > MOST_WIDTHS) widths.clear();
  widths.set(key, width);
  return width;
}
