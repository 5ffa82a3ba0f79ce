import type { Json } from '../../src/model/json.ts';
import type { Redacted } from '../../src/model/redacted.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import type { Store } from '../../src/store/store.ts';

/** A real store into which a test may write its made-up texts without redacting them first. */
export function openPlainStore(...[path, options]: Parameters<typeof openSqliteStore>): PlainStore {
  return openSqliteStore(path, options) as PlainStore;
}

/** A store that takes any text. Tests write made-up texts; nothing else may have one. */
export type PlainStore = { [K in keyof Store]: PlainMethod<Store[K]> };

/** A method that takes no redacted text stays as it is: inferring its parameters would lose its type parameters. */
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
