/**
 * Too short and too plain for a private tag or a secret: most keys and values, paths and ids. Hooks need no rule for
 * these, so they neither load nor unpack any.
 */
export function isPlain(text: string): boolean {
  if (PLAIN_WORD.test(text)) return true;
  if (text.length > LONGEST_PATH || !ONLY_PATH.test(text)) return false;
  return UUIDS.test(text) || text.split('/').every((part) => PLAIN_WORD.test(part) || WORDS.test(part));
}

const LONGEST_PATH = 400;
const ONLY_PATH = /^[\w./-]*$/;
/** No token is as short. */
const PLAIN_WORD = /^[\w.-]{0,15}$/;
/** Tokens have digits or capital letters. */
const WORDS = /^[a-z._-]{0,30}$/;
const UUID = '[\\da-f]{8}(?:-[\\da-f]{4}){3}-[\\da-f]{12}';
/** Of a session, or of a session and its spool file. */
const UUIDS = new RegExp(`^(?:${UUID}\\.)?${UUID}$`);
