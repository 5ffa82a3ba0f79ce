import type { Json } from '../../src/model/json.ts';
import type { Redacted } from '../../src/model/redacted.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import type { Store } from '../../src/store/store.ts';

/** A real store in which a test can write made-up texts without redacting them. */
export function openPlainStore(...[path, options]: Parameters<typeof openSqliteStore>): PlainStore {
  return openSqliteStore(path, options) as PlainStore;
}

/** A store that accepts any text; only tests may use it. */
export type PlainStore = { [K in keyof Store]: PlainMethod<Store[K]> };

/** A method without redacted parameters keeps its type: inferring its parameters would lose its type parameters. */
type PlainMethod<M> = M extends (...args: infer A) => infer R
  ? Plain<A> extends A
    ? M
    : Plain<A> extends infer P extends unknown[]
      ? (...args: P) => R
      : never
  : M;

type Plain<T> = [Redacted<Json>] extends [T] ? Json : PlainPart<T>;

type PlainPart<T> = T extends Redacted
  ? string
  : T extends (...args: never[]) => unknown
    ? T
    : T extends object
      ? { [K in keyof T]: Plain<T[K]> }
      : T;
