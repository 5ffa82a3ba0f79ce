import * as z from 'zod/mini';
import { describeRange, LONGEST_QUERY } from '../../model/value-problems.ts';

/**
 * Limits of a call, in characters and items. A model learns of a limit only by exceeding it: in the tool list they
 * would cost tokens in every session.
 */
export const MAX_LENGTH = {
  text: 20_000,
  title: 300,
  query: LONGEST_QUERY,
  task: 500,
  path: 4_096,
  name: 200,
  handoff: 60_000,
};
export const MAX_ITEMS = { ids: 50, tasks: 50, files: 100, kinds: 10, aliases: 20 };

export function limitedText(characters: number) {
  return z.string().check(z.maxLength(characters));
}

/** For what means nothing if it is empty. */
export function requiredText(characters: number) {
  return z.string().check(z.minLength(1), z.maxLength(characters));
}

export function wholeNumber(min: number, max: number) {
  const error = describeRange({ min, max });
  return z.int({ error }).check(z.gte(min, { error }), z.lte(max, { error }));
}

export function limitedList<Item extends z.ZodMiniType>(items: number, item: Item) {
  return z.array(item).check(z.maxLength(items));
}

/** Other words that find a memory. */
export const ALIASES = limitedList(MAX_ITEMS.aliases, limitedText(MAX_LENGTH.name));
