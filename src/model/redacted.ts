import type { Json } from './json.ts';

declare const redacted: unique symbol;

/** Text without secrets and private parts. Only `capture/redact/redact-value.ts` makes it. */
type RedactedText = string & { readonly [redacted]: true };

type RedactedJson = null | boolean | number | RedactedText | RedactedJson[] | { [key: string]: RedactedJson };

/**
 * A value whose texts are all redacted. The mark is on each text, not on the record: the compiler rejects a record
 * that was spread and got a raw text. Literal types such as kinds and states need no mark.
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
