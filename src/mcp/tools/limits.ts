import * as z from 'zod/mini';

/**
 * Limits of a call, in characters and items. A model learns of a limit only by exceeding it: in the tool list they
 * would cost tokens in every session.
 */
export const MAX_LENGTH = {
  text: 20_000,
  title: 300,
  query: 10_000,
  task: 500,
  path: 4_096,
  name: 200,
  handoff: 60_000,
};
export const MAX_ITEMS = { ids: 50, tasks: 50, files: 100, kinds: 10, aliases: 20 };

export function limitedText(characters: number) {
  return z.string().check(z.maxLength(characters));
}

export function limitedList<Item extends z.ZodMiniType>(items: number, item: Item) {
  return z.array(item).check(z.maxLength(items));
}

/** Other words that find a memory. */
export const ALIASES = limitedList(MAX_ITEMS.aliases, limitedText(MAX_LENGTH.name));
