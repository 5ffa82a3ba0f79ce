import type { Aspect } from '../feed.ts';

/** How aspects are stored. Never renumbered: other machines read them. */
export const ASPECT_CODES: Readonly<Record<Aspect, number>> = {
  text: 0,
  pin: 1,
  supersession: 2,
  state: 3,
  deletion: 4,
};

const ASPECT_OF_CODE = new Map(Object.entries(ASPECT_CODES).map(([name, code]) => [code, name as Aspect]));

export function aspectOf(code: number): Aspect {
  const aspect = ASPECT_OF_CODE.get(code);
  if (aspect === undefined) throw new RangeError(`unknown aspect ${code}`);
  return aspect;
}
