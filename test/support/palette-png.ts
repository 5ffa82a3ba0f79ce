import { crc32, deflateSync, inflateSync } from 'node:zlib';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const COLOURS = 256;
/** The squared distance up to which two colours look the same. */
const ALIKE = 60;

/** Reduces a picture to 256 colours and a third of its size, which is enough for pictures of a page. */
export function toPalettePng(png: Buffer): Buffer {
  const { width, height, channels, pixels } = decode(png);
  const counts = new Map<number, number>();
  for (let at = 0; at < pixels.length; at += channels) {
    const colour = pixels.readUIntBE(at, 3);
    counts.set(colour, (counts.get(colour) ?? 0) + 1);
  }
  const palette = choosePalette(
    [...counts].sort(([, one], [, other]) => other - one).map(([colour]) => colour),
  );
  const nearest = new Map(palette.map((colour, index) => [colour, index]));
  const rows = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const colour = pixels.readUIntBE((y * width + x) * channels, 3);
      const index = nearest.get(colour) ?? findNearest(palette, colour);
      nearest.set(colour, index);
      rows[y * (width + 1) + 1 + x] = index;
    }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3, 0, 0, 0], 8);
  const colours = Buffer.from(palette.flatMap((colour) => [colour >> 16, (colour >> 8) & 255, colour & 255]));
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('PLTE', colours),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** The most common colours that differ from each other: small marks keep theirs. */
function choosePalette(common: number[]): number[] {
  const palette: number[] = [];
  for (const colour of common) {
    if (palette.length === COLOURS) break;
    if (palette.every((other) => distanceOf(other, colour) > ALIKE)) palette.push(colour);
  }
  return palette;
}

function findNearest(palette: number[], colour: number): number {
  const distances = palette.map((other) => distanceOf(other, colour));
  return distances.indexOf(Math.min(...distances));
}

function distanceOf(one: number, other: number): number {
  const part = (shift: number) => (((one >> shift) & 255) - ((other >> shift) & 255)) ** 2;
  return part(16) + part(8) + part(0);
}

/** Decodes what Chromium writes: eight bits, RGB or RGBA, not interlaced. */
function decode(png: Buffer): { width: number; height: number; channels: number; pixels: Buffer } {
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
  const channels = png[25] === 6 ? 4 : 3;
  const parts: Buffer[] = [];
  for (let at = 8; at < png.length; at += png.readUInt32BE(at) + 12)
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT')
      parts.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)));
  const lines = inflateSync(Buffer.concat(parts));
  const stride = width * channels;
  const pixels = Buffer.alloc(stride * height);
  for (let y = 0; y < height; y++) {
    const filter = lines[y * (stride + 1)];
    for (let x = 0; x < stride; x++) {
      const left = x < channels ? 0 : (pixels[y * stride + x - channels] ?? 0);
      const up = y === 0 ? 0 : (pixels[(y - 1) * stride + x] ?? 0);
      const corner = x < channels || y === 0 ? 0 : (pixels[(y - 1) * stride + x - channels] ?? 0);
      const guess =
        filter === 1
          ? left
          : filter === 2
            ? up
            : filter === 3
              ? (left + up) >> 1
              : filter === 4
                ? paeth(left, up, corner)
                : 0;
      pixels[y * stride + x] = (lines[y * (stride + 1) + 1 + x] ?? 0) + guess;
    }
  }
  return { width, height, channels, pixels };
}

function paeth(left: number, up: number, corner: number): number {
  const guess = left + up - corner;
  const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)];
  return a <= b && a <= c ? left : b <= c ? up : corner;
}

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}
