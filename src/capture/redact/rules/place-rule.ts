/** A secret that its surroundings tell. */
export interface PlaceRule {
  kind: string;
  /** What the pattern begins with, in any case: it is tried only where the first three characters of one are. */
  anchors: string[];
  /** What has to come somewhere after an anchor: a cheap first look. */
  needs?: string;
  /** Tells from a character or two that there is nothing at an anchor: a cheap first look. */
  rejects?: (text: string, anchor: number) => boolean;
  /** An anchor only tells that the whole text is worth a search with the pattern, which is global then. */
  searchesAll?: boolean;
  /**
   * Two groups from the start of the match on: what is before the secret, and the secret. Every quantifier
   * has an upper bound, so that no text takes longer than its length allows. A function, because to parse all
   * patterns takes a hook two milliseconds.
   */
  pattern: () => RegExp;
  /** Is what was found in the secret's place a secret? */
  accepts: (value: string) => boolean;
}
