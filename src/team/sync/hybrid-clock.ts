/** A place in the order of changes: by stamp, then by origin, the same on every machine and on the server. */
export interface Stamped {
  /** 48 bits of milliseconds and 16 bits of counter, as a decimal: a number would be rounded. */
  hlc: string;
  origin: string;
}

/** Later than the last one, whatever the clock says. */
export function nextStamp(last: string, now: number): string {
  const time = BigInt(Math.max(0, Math.floor(now))) << 16n;
  const before = BigInt(last);
  return String(time > before ? time : before + 1n);
}

export function laterStamp(one: string, other: string): string {
  return BigInt(one) >= BigInt(other) ? one : other;
}

/** Positive if the first one wins. */
export function compareStamped(one: Stamped, other: Stamped): number {
  const [first, second] = [BigInt(one.hlc), BigInt(other.hlc)];
  if (first !== second) return first > second ? 1 : -1;
  if (one.origin === other.origin) return 0;
  return one.origin > other.origin ? 1 : -1;
}

/** In milliseconds. */
export function timeOfStamp(hlc: string): number {
  return Number(BigInt(hlc) >> 16n);
}
