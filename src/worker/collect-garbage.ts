import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

let collector: (() => void) | undefined;

/** Frees memory before the worker sleeps, otherwise node keeps it. Without compaction most of it stays in half-used pages. */
export function collectGarbage(): void {
  if (!collector) {
    setFlagsFromString('--expose-gc');
    collector = runInNewContext('gc') as () => void;
  }
  setFlagsFromString('--compact-on-every-full-gc');
  collector();
  setFlagsFromString('--no-compact-on-every-full-gc');
}

/**
 * By default node lets the young generation grow to 32 MB and keeps it, and the old one to three times the memory in
 * use. The worker is as fast with a small heap.
 */
export function limitHeap(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
  setFlagsFromString('--heap-growing-percent=30');
}
