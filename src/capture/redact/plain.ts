/**
 * Too short and too plain for a private tag or a secret: most keys and values, paths and ids. Hooks need no rule for
 * these, so they neither load nor unpack any. No token is as short as a segment of such a path.
 */
export function isPlain(text: string): boolean {
  return PLAIN_PATH.test(text) || UUID.test(text);
}

const PLAIN_PATH = /^(?:[\w.-]{0,15}\/)*[\w.]{0,13}$/;
const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/;
