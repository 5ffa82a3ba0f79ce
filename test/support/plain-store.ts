import type { PlainStore } from '../../src/store/plain-store.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';

/** A real store into which a test may write its made-up texts without redacting them first. */
export function openPlainStore(...[path, options]: Parameters<typeof openSqliteStore>): PlainStore {
  return openSqliteStore(path, options) as PlainStore;
}
