/** A secret that its surroundings tell. */
export interface PlaceRule {
  kind: string;
  /**
   * Only texts that hold one of these are searched. Literals, because `includes` is ten times as fast as a
   * pattern, and if possible from a rare letter on.
   */
  hints: string[];
  /**
   * Two groups from the start of the match on: what is before the secret, and the secret. Every quantifier
   * has an upper bound, so that no text takes longer than its length allows.
   */
  pattern: RegExp;
  /** Is what was found in the secret's place a secret? */
  accepts: (value: string) => boolean;
}
