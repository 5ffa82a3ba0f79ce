/** A secret recognised by its surroundings. */
export interface PlaceRule {
  kind: string;
  /** Literals that the pattern begins with, in any case. It is tried only where the first three characters match. */
  anchors: string[];
  /** A literal that must follow the anchor somewhere: a cheap first check. */
  needs?: string;
  /** Rejects an anchor by a character or two: a cheap first check. */
  rejects?: (text: string, anchor: number) => boolean;
  /** The anchor only shows that the whole text is worth searching; the pattern is then global. */
  searchesAll?: boolean;
  /**
   * Has two groups: the text before the secret, from the start of the match, and the secret. Every quantifier has an
   * upper bound to keep the search linear. A function, because compiling all patterns costs a hook 2 ms.
   */
  pattern: () => RegExp;
  /** Whether the text in the secret's place is a secret. */
  accepts: (value: string) => boolean;
}
