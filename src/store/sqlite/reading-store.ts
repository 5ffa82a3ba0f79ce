import { openForReading } from './open-for-reading.ts';
import { createStore } from './sqlite-store.ts';

/** A store on a read-only connection. */
export function openReadingStore(path: string, busyMs = 5_000) {
  return createStore(openForReading(path, busyMs));
}
