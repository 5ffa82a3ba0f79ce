/**
 * Whether a text is too short and plain to contain a private tag or a secret, as are most keys, paths and ids. If all
 * texts are plain, a hook does not load the rules.
 */
export function isPlain(text: string): boolean {
  if (PLAIN_WORD.test(text)) return true;
  if (text.length > LONGEST_PATH || !ONLY_PATH.test(text)) return false;
  return UUIDS.test(text) || text.split('/').every((part) => PLAIN_WORD.test(part) || WORDS.test(part));
}

const LONGEST_PATH = 400;
const ONLY_PATH = /^[\w./-]*$/;
/** Every token is longer. */
const PLAIN_WORD = /^[\w.-]{0,15}$/;
/** Tokens have digits or capital letters. */
const WORDS = /^[a-z._-]{0,30}$/;
const UUID = '[\\da-f]{8}(?:-[\\da-f]{4}){3}-[\\da-f]{12}';
/** The id of a session, or of a session and its spool file. */
const UUIDS = new RegExp(`^(?:${UUID}\\.)?${UUID}$`);
