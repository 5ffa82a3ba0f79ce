import { countTokens } from '../model/tokens.ts';

/** A budget in tokens and characters. Spending reduces the whole and its parts. */
export interface Budget {
  /** `cost` if the caller has counted it already. @returns false if the text does not fit; nothing is spent then. */
  spend(text: string, cost?: number): boolean;
  /** A part with at most this share of the whole budget. */
  part(share: number): Budget;
  tokensLeft(): number;
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

/** Includes the line break. Neutralising, done once for the whole context, makes no text longer. */
export function costOf(text: string): number {
  return countTokens(text) + 1;
}
