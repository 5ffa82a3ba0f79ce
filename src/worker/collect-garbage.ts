import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

let collector: (() => void) | undefined;

/** Frees memory before the worker sleeps; otherwise node keeps it. Without compaction most of it stays in pages half used. */
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
 * Node would let the young generation grow to 32 MB and keep it, and the old one to three times what is in use: a search
 * leaves a megabyte behind. The worker is as fast with little.
 */
export function limitHeap(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
  setFlagsFromString('--heap-growing-percent=30');
}
