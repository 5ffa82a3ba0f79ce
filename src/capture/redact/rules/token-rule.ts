/*
 * Cairn has its own rules because the maintained rule sets do not fit. secretlint's preset (the only maintained one
 * for Node) is asynchronous, reports instead of replacing, takes 350 kB bundled, needs Node 22 in its current version,
 * and ignores passwords, headers, env lines and URLs: it found one of nine common shapes. gitleaks' rules use Go's
 * regular expressions and are not in a maintained npm package. The formats in this folder are published by vendors.
 */

/**
 * A secret recognised by its own form, anywhere. Every quantifier in the middle of `rest` has an upper bound to keep
 * the search linear in a text that repeats the beginning of a token.
 */
export interface TokenRule {
  kind: string;
  /** The vendor's fixed prefix. */
  starts: string;
  /** Its first three to five characters, divided by spaces, unless `starts` begins with three plain ones. */
  anchors?: string;
  /** The fixed part is only this character, which is searched for only in long runs and right after them. */
  inRun?: string;
  /** The pattern that must follow the fixed part. */
  rest: string;
  /** For a fixed part in the middle of a token: the pattern that must precede it. */
  before?: string;
  /** The run of word characters in which the token begins must end with this: a cheap first check. */
  runEnd?: string;
}
