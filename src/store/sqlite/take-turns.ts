/**
 * SQLite's lock has no queue: a process that takes it again at once starves all others, including hooks that keep an
 * agent waiting. A process that has held it for this long pauses; hooks retry every millisecond.
 */
const LONGEST_HELD_MS = 10;
const PAUSE_MS = 4;

interface Turn {
  heldMs: number;
  releasedAt: number;
}

const turns = new WeakMap<object, Turn>();

/** Takes the lock with `begin`. @returns what to call when it is released. */
export function takeTurn(db: object, begin: () => void): () => void {
  const turn = turns.get(db) ?? { heldMs: 0, releasedAt: Number.NEGATIVE_INFINITY };
  turns.set(db, turn);
  const restedMs = Date.now() - turn.releasedAt;
  if (restedMs < PAUSE_MS && turn.heldMs >= LONGEST_HELD_MS) sleep(PAUSE_MS - restedMs);
  if (restedMs >= PAUSE_MS || turn.heldMs >= LONGEST_HELD_MS) turn.heldMs = 0;
  begin();
  const began = Date.now();
  return () => {
    turn.releasedAt = Date.now();
    turn.heldMs += turn.releasedAt - began;
  };
}

export function sleep(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
