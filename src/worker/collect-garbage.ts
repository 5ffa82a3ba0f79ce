import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

let collector: (() => void) | undefined;

/** Frees memory before the worker sleeps; otherwise node keeps it. */
export function collectGarbage(): void {
  if (!collector) {
    setFlagsFromString('--expose-gc');
    collector = runInNewContext('gc') as () => void;
  }
  collector();
}

/** Node would let the young generation grow to 32 MB and keep it; the worker is as fast with little. */
export function limitHeap(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
}
