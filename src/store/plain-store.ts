import type { Json } from '../model/json.ts';
import type { Redacted } from '../model/redacted.ts';
import type { Store } from './store.ts';

/** A store that takes any text. Contracts and tests write made-up texts; nothing else may have one. */
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
