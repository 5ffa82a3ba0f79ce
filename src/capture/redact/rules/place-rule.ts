/** A secret recognised by its surroundings. */
export interface PlaceRule {
  kind: string;
  /** What the pattern begins with, in any case: it is tried only where the first three characters of one are. */
  anchors: string[];
  /** A literal that must follow the anchor somewhere: a cheap first check. */
  needs?: string;
  /** Rejects an anchor by a character or two: a cheap first check. */
  rejects?: (text: string, anchor: number) => boolean;
  /** The anchor only shows that the whole text is worth searching; the pattern is global then. */
  searchesAll?: boolean;
  /**
   * Two groups from the start of the match on: what is before the secret, and the secret. Every quantifier
   * has an upper bound, so that no text takes longer than its length allows. A function, because to parse all
   * patterns takes a hook two milliseconds.
   */
  pattern: () => RegExp;
  /** Whether the text in the secret's place is a secret. */
  accepts: (value: string) => boolean;
}
