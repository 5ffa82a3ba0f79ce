import { GOING_ON, OF_ANY_WORK } from './going-on-words.ts';
import { wordsOfPrompt } from './telling-words.ts';

/** Scripts that are not cut into words. */
const UNSPACED = /^(?:请|請)?(?:继续|繼續|接着|続け|続き|계속)/;
const LONGEST_UNSPACED = 14;

/** Whether somebody just wants to go on: `continue`, `weiter`, `pick up where we left off`. */
export function wantsToGoOn(prompt: string): boolean {
  const said = prompt.trim();
  if (UNSPACED.test(said)) return said.length <= LONGEST_UNSPACED;
  const words = [...wordsOfPrompt(said)];
  return (
    words.some((word) => GOING_ON.has(word)) &&
    words.every((word) => GOING_ON.has(word) || OF_ANY_WORK.has(word))
  );
}

/** An answer to what the session was offered when it began. */
export function agrees(prompt: string): boolean {
  return /^\s*(?:yes|yep|yeah|ok|okay|sure|do it|please do|ja|genau|oui|s[ií]|да|好|はい|네)(?![\p{L}\p{N}])/iu.test(
    prompt,
  );
}
