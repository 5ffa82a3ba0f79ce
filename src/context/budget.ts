import { countTokens } from '../model/tokens.ts';

/** Room for text, in tokens and in characters. What was spent is gone, for the whole and for its parts. */
export interface Budget {
  /** `cost` if the caller has counted it already. @returns false where the text does not fit; nothing is spent then. */
  spend(text: string, cost?: number): boolean;
  /** The smaller part of it: no more than this share of what the whole had. */
  part(share: number): Budget;
  tokensLeft(): number;
  /** What was told so far takes no more than this. */
  tokensSpent(): number;
}

export function createBudget(room: { tokens: number; characters: number }, whole?: Budget): Budget {
  let { tokens, characters } = room;
  return {
    spend(text, cost = costOf(text)) {
      if (cost > tokens || text.length + 1 > characters) return false;
      if (whole && !whole.spend(text, cost)) return false;
      tokens -= cost;
      characters -= text.length + 1;
      return true;
    },
    part(share) {
      const its = {
        tokens: Math.floor(room.tokens * share),
        characters: Math.floor(room.characters * share),
      };
      return createBudget(its, this);
    },
    tokensLeft: () => tokens,
    tokensSpent: () => room.tokens - tokens,
  };
}

/** With the line break behind it. Neutralising, which is done once for the whole context, makes no text longer. */
export function costOf(text: string): number {
  return countTokens(text) + 1;
}
