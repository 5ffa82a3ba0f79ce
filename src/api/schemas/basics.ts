import * as z from 'zod/mini';
import { describeRange } from '../../model/value-problems.ts';
import { Problem } from '../problem.ts';

export const MOST_ROWS = 200;
export const MOST_IDS = 1_000;

/** Limits of texts in requests, in characters. */
export const LONGEST = { title: 300, text: 20_000, fact: 2_000, name: 200, path: 4_096 };

const whole = z.int();

/** Parses a value from a path or a query, where every value is text. */
export function numberParameter(min: number, max: number) {
  const error = describeRange({ min, max });
  return z.coerce.number({ error }).check(z.int({ error }), z.gte(min, { error }), z.lte(max, { error }));
}

export const idParameter = numberParameter(1, Number.MAX_SAFE_INTEGER);
export const timeParameter = numberParameter(0, Number.MAX_SAFE_INTEGER);
export const flagParameter = z.enum(['true', 'false']);
export const limitParameter = z._default(numberParameter(1, MOST_ROWS), 50);
/** The cursor of an earlier answer: `<time>.<number>`. */
export const cursorParameter = z.string().check(z.regex(/^\d{1,15}\.\d{1,15}$/));

export const id = whole.check(z.gte(1));
/** Milliseconds since 1970. */
export const time = z.number();
export const count = z.number();
export const nullableTime = z.nullable(time);
export const nullableText = z.nullable(z.string());
export const texts = z.array(z.string());
/** For a request whose path says everything. */
export const noBody = z.strictObject({});

export function limitedText(characters: number) {
  return z.string().check(z.maxLength(characters));
}

export const idParams = z.strictObject({ id: idParameter });

export interface Cursor {
  at: number;
  id: number;
}

export function parseCursor(cursor: string | undefined): Cursor | undefined {
  if (cursor === undefined) return undefined;
  const [at, id] = cursor.split('.').map(Number);
  if (at === undefined || id === undefined) throw new Problem(400, 'cursor is not from an earlier answer.');
  return { at, id };
}

/** The cursor of the next page; null on the last one. */
export function nextCursor(rows: Cursor[], limit: number): string | null {
  const last = rows.at(-1);
  return last && rows.length === limit ? `${last.at}.${last.id}` : null;
}

export const isTrue = (flag: 'true' | 'false' | undefined): boolean | undefined =>
  flag === undefined ? undefined : flag === 'true';
