/** Changes are ordered by stamp, then by origin, on every machine and on the server. */
export interface Stamped {
  /** 48 bits of milliseconds and 16 bits of counter, as a decimal: a number would be rounded. */
  hlc: string;
  origin: string;
}

/** A stamp later than the last one, even if the clock was set back. */
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

/** The time of a stamp, in milliseconds. */
export function timeOfStamp(hlc: string): number {
  return Number(BigInt(hlc) >> 16n);
}
