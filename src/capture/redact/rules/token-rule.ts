/*
 * Why a table of our own: the maintained rule sets were tried first. secretlint's preset (the only one for
 * Node with upkeep) is asynchronous, reports instead of replacing, weighs 350 kB bundled, needs Node 22 in
 * its current version, and leaves passwords, headers, env lines and URLs alone: it found one of nine everyday
 * shapes. gitleaks' rules are written for Go's regular expressions and come in no maintained npm package.
 * The formats in this folder are the ones vendors publish.
 */

/**
 * A secret recognised by its own form, anywhere. Every quantifier in the middle of `rest` has an upper bound: a text
 * that repeats the beginning of a token must not cost more than its length.
 */
export interface TokenRule {
  kind: string;
  /** The vendor's fixed prefix. */
  starts: string;
  /** Its first three to five characters, divided by spaces, unless `starts` begins with three plain ones. */
  anchors?: string;
  /** The fixed part is only this character: it is searched only in long runs and right after them. */
  inRun?: string;
  /** What must follow it. */
  rest: string;
  /** For a fixed part in the middle of a token: what must precede it. */
  before?: string;
  /** The run of word characters in which the token begins must end with this: a cheap first check. */
  runEnd?: string;
}
