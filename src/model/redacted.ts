import type { Json } from './json.ts';

declare const redacted: unique symbol;

/** Text without secrets and private parts. Only `capture/redact/redact-value.ts` makes it. */
type RedactedText = string & { readonly [redacted]: true };

type RedactedJson = null | boolean | number | RedactedText | RedactedJson[] | { [key: string]: RedactedJson };

/**
 * A value in which every text is redacted. The mark is on each text, not on the record around it: a record that is
 * spread and gets a raw text added is refused by the compiler. Literal types (kinds, states) need no mark.
 */
export type Redacted<T = string> = [Json] extends [T]
  ? RedactedJson
  : [RedactedJson] extends [T]
    ? T
    : RedactedPart<T>;

type RedactedPart<T> = T extends string
  ? string extends T
    ? RedactedText
    : T
  : T extends object
    ? { [K in keyof T]: Redacted<T[K]> }
    : T;
