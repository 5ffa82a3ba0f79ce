import { OBSERVATION_TYPES } from '../../model/memory.ts';
import { countMemories, type PeriodSession } from './week.ts';

/** The size of the picture. */
export interface Canvas {
  width: number;
  height: number;
  /** The vertical position of the ground. */
  ground: number;
  isNarrow: boolean;
}

export interface Stone {
  session: PeriodSession;
  outline: string;
  /** The left and top edges of the bounding box. */
  left: number;
  top: number;
  width: number;
  height: number;
  /** Rotation around its centre, in degrees. */
  angle: number;
  bands: { type: string; left: number; width: number }[];
}

export interface Cairn {
  centre: number;
  /** The top edge of the highest stone. */
  top: number;
  shadow: number;
  memories: number;
  stones: Stone[];
}

export function measureCanvas(isNarrow: boolean): Canvas {
  const [width, height, below] = isNarrow ? [366, 262, 44] : [1084, 350, 52];
  return { width, height, ground: height - below, isNarrow };
}

/** More stones would be too thin to tell apart. */
export const MOST_STONES = 40;

/**
 * One stone for each session, the largest at the bottom. Its width stands for the number of memories, with a band for
 * each of their types.
 */
export function pileStones(days: PeriodSession[][], { width, ground, isNarrow }: Canvas): Cairn[] {
  const column = width / days.length;
  const sizes = isNarrow
    ? { tallest: 21, narrowest: 17, perMemory: 2.2, shift: 0.9, air: 40 }
    : { tallest: 37, narrowest: 50, perMemory: 6.6, shift: 3, air: 64 };
  const widest = column * 0.92;
  return days.map((sessions, day) => {
    const centre = column * (day + 0.5);
    const shown = sessions.slice(0, MOST_STONES);
    const height = Math.min(sizes.tallest, (ground - sizes.air) / Math.max(1, shown.length));
    let top = ground + 2;
    const stones = shown.map((session, level) => {
      const wish = sizes.narrowest + countMemories(session) * sizes.perMemory;
      const stoneWidth = Math.max(sizes.narrowest * 0.8, Math.min(widest, wish) - level * sizes.shift);
      const middle = centre + (((day * 7 + level * 5) % 5) - 2) * sizes.shift;
      top -= height - 1;
      const left = middle - stoneWidth / 2;
      return {
        ...{ session, left, top, height, width: stoneWidth },
        outline: drawOutline({ left, top, width: stoneWidth, height }, (day + level * 2) % 3),
        angle: (((day * 3 + level * 7) % 5) - 2) * 0.8,
        bands: layBands(session, left, stoneWidth),
      };
    });
    const memories = sessions.reduce((sum, session) => sum + countMemories(session), 0);
    return { centre, top, shadow: (stones[0]?.width ?? 0) / 2 + sizes.shift * 3, memories, stones };
  });
}

/** Draws a rounded pebble. `bend` is 0, 1 or 2. */
function drawOutline(
  box: { left: number; top: number; width: number; height: number },
  bend: number,
): string {
  const { left: x, top: y, width, height: h } = box;
  const half = width / 2;
  const middle = x + half;
  const right = x + width;
  const edge = Math.min(half * 0.7, h * (0.46 + bend * 0.05));
  return [
    `M${x} ${y + h * 0.56}`,
    `C${x} ${y + h * 0.1} ${x + edge} ${y + bend} ${x + half * 0.62} ${y}`,
    `C${middle + half * 0.1} ${y - h * 0.03 * bend} ${middle + half * 0.4} ${y + h * 0.02} ${middle + half * 0.62} ${y + h * 0.04}`,
    `C${right - edge * 0.4} ${y + h * 0.07} ${right} ${y + h * 0.24} ${right} ${y + h * 0.58}`,
    `C${right} ${y + h * 0.92} ${right - edge * 0.5} ${y + h} ${middle + half * 0.6} ${y + h}`,
    `L${x + half * 0.42} ${y + h}`,
    `C${x + edge * 0.4} ${y + h} ${x} ${y + h * 0.9} ${x} ${y + h * 0.56}Z`,
  ].join(' ');
}

function layBands(session: PeriodSession, left: number, width: number): Stone['bands'] {
  const whole = countMemories(session);
  const known: readonly string[] = OBSERVATION_TYPES;
  // Notes have no type and go last.
  const order = (name: string) => (known.includes(name) ? known.indexOf(name) : known.length);
  let from = left;
  return [...session.byType]
    .sort((one, other) => order(one.name) - order(other.name))
    .map(({ name, count }) => {
      const band = { type: name, left: from, width: (width * count) / whole };
      from += band.width;
      return band;
    });
}

/** Hills behind the cairns, farthest first. */
export function drawHills({ width, height, ground }: Canvas): { outline: string; opacity: number }[] {
  const hill = (y: number, up: number, down: number) =>
    [
      `M-20 ${height + 20} L-20 ${y + up * 0.4}`,
      `C${width * 0.14} ${y - up} ${width * 0.26} ${y + down} ${width * 0.42} ${y - down * 0.2}`,
      `S${width * 0.66} ${y - up * 1.3} ${width * 0.8} ${y - up * 0.1}`,
      `S${width * 0.96} ${y + down * 0.3} ${width + 20} ${y - up * 0.5}`,
      `L${width + 20} ${height + 20}Z`,
    ].join(' ');
  return [
    { outline: hill(height * 0.52, height * 0.16, height * 0.08), opacity: 0.5 },
    { outline: hill(height * 0.66, height * 0.09, height * 0.12), opacity: 0.7 },
    { outline: hill(ground - 4, 5, 5), opacity: 1 },
  ];
}
