import { countTokens } from '../model/tokens.ts';

/** A budget in tokens and characters. Spending from a part also reduces the whole. */
export interface Budget {
  /** Pass `cost` if it is known already. @returns false if the text does not fit; then nothing is spent. */
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

/** The tokens of a line with its line break. Neutralising the whole context later makes no text longer. */
export function costOf(text: string): number {
  return countTokens(text) + 1;
}
