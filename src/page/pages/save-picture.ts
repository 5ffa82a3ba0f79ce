import { count } from '../parts/format.ts';
import { drawHills, type Stone } from './cairn-shapes.ts';
import { type Picture, STONE_SHARE } from './cairns-picture.tsx';

const SCALE = 2;
const MARGIN = 28;
const TITLE_HEIGHT = 64;

/**
 * Draws the same shapes on a canvas and saves a PNG file. An image made from the SVG would need a URL that the page's
 * content security policy forbids.
 */
export async function savePicture(picture: Picture, caption: string): Promise<void> {
  const canvas = document.createElement('canvas');
  const { width, height } = picture.canvas;
  canvas.width = (width + 2 * MARGIN) * SCALE;
  canvas.height = (height + TITLE_HEIGHT + MARGIN) * SCALE;
  const pen = canvas.getContext('2d');
  if (!pen) throw new Error('This browser cannot draw pictures.');
  pen.scale(SCALE, SCALE);
  drawPicture(pen, picture, caption);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
  if (!blob) throw new Error('This browser cannot save pictures.');
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = `cairn-${caption.replace(/[^\w]+/g, '-').toLowerCase()}.png`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

type Pen = CanvasRenderingContext2D;

function drawPicture(
  pen: Pen,
  { canvas, cairns, dayNames, hasNames, today }: Picture,
  caption: string,
): void {
  const { width, height, ground, isNarrow } = canvas;
  const style = getComputedStyle(document.documentElement);
  const colour = (name: string) => style.getPropertyValue(`--${name}`).trim();
  const write = (text: string, x: number, y: number, font: string, fill: string) => {
    pen.font = `${font} ${colour('sans')}`;
    pen.fillStyle = fill;
    pen.fillText(text, x, y);
  };
  pen.fillStyle = colour('surface');
  pen.fillRect(0, 0, width + 2 * MARGIN, height + TITLE_HEIGHT + MARGIN);
  write('Cairn', MARGIN, 40, '680 20px', colour('ink'));
  pen.textAlign = 'right';
  write(caption, width + MARGIN, 40, '400 14px', colour('ink-2'));
  pen.textAlign = 'center';
  pen.translate(MARGIN, TITLE_HEIGHT);
  pen.beginPath();
  pen.roundRect(0, 0, width, height, 14);
  pen.clip();
  const sky = pen.createLinearGradient(0, 0, 0, height);
  sky.addColorStop(0, colour('sky-high'));
  sky.addColorStop(0.7, colour('sky-low'));
  pen.fillStyle = sky;
  pen.fillRect(0, 0, width, height);
  pen.fillStyle = colour('sun');
  pen.beginPath();
  pen.arc(width * 0.86, height * 0.2, isNarrow ? 15 : 30, 0, Math.PI * 2);
  pen.fill();
  pen.fillStyle = colour('hill');
  for (const { outline, opacity } of drawHills(canvas)) {
    pen.globalAlpha = opacity;
    pen.fill(new Path2D(outline));
  }
  pen.globalAlpha = 1;
  cairns.forEach(({ centre, shadow, memories, stones }, day) => {
    if (stones.length > 0) {
      pen.fillStyle = 'rgb(0 0 0 / 12%)';
      pen.beginPath();
      pen.ellipse(centre, ground + 3, shadow, isNarrow ? 3 : 6, 0, 0, Math.PI * 2);
      pen.fill();
    }
    for (const stone of stones) drawStone(pen, stone, colour);
    if (hasNames && !isNarrow)
      for (const { session, left, top, width: across, height: high } of stones)
        write(session.project, left + across / 2, top + high / 2 + 4, '560 11px', '#fff');
    const weight = today === day ? 680 : 560;
    write(
      dayNames[day] ?? '',
      centre,
      ground + (isNarrow ? 21 : 27),
      `${weight} ${isNarrow ? 12 : 14}px`,
      colour('ink'),
    );
    const words = isNarrow ? String(memories) : count(memories, 'memory', 'memories');
    write(words, centre, ground + (isNarrow ? 36 : 45), `400 ${isNarrow ? 11 : 12.5}px`, colour('ink-2'));
  });
}

function drawStone(pen: Pen, stone: Stone, colour: (name: string) => string): void {
  const { outline, left, top, width, height, angle, bands } = stone;
  const middle = { x: left + width / 2, y: top + height / 2 };
  pen.save();
  pen.translate(middle.x, middle.y);
  pen.rotate((angle * Math.PI) / 180);
  pen.translate(-middle.x, -middle.y);
  pen.clip(new Path2D(outline));
  for (const band of bands) {
    pen.fillStyle = `color-mix(in srgb, ${colour(`t-${band.type}`)} ${STONE_SHARE}%, ${colour('stone')})`;
    pen.fillRect(band.left, top - 2, band.width + 0.6, height + 4);
  }
  const light = pen.createLinearGradient(0, top, 0, top + height);
  light.addColorStop(0, 'rgb(255 255 255 / 34%)');
  light.addColorStop(0.45, 'rgb(255 255 255 / 0%)');
  light.addColorStop(1, 'rgb(0 0 0 / 22%)');
  pen.fillStyle = light;
  pen.fillRect(left, top - 2, width, height + 4);
  pen.restore();
}
