import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

let collector: (() => void) | undefined;

/** Gives memory back before a rest; left alone, node would keep it until it needs it for something else. */
export function collectGarbage(): void {
  if (!collector) {
    setFlagsFromString('--expose-gc');
    collector = runInNewContext('gc') as () => void;
  }
  collector();
}

/** Node would let the room for new objects grow to 32 MB, and keep it; the worker is as fast with little. */
export function limitHeap(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
}
