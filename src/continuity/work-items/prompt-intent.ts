import { promptWords } from './content-words.ts';
import { CONTINUE_WORDS, GENERIC_WORDS } from './continue-words.ts';

/** Scripts without spaces between words. */
const UNSPACED = /^(?:请|請)?(?:继续|繼續|接着|続け|続き|계속)/;
const LONGEST_UNSPACED = 14;

/** Whether a prompt only asks to continue: `continue`, `weiter`, `pick up where we left off`. */
export function isContinuePrompt(prompt: string): boolean {
  const text = prompt.trim();
  if (UNSPACED.test(text)) return text.length <= LONGEST_UNSPACED;
  const words = [...promptWords(text)];
  return (
    words.some((word) => CONTINUE_WORDS.has(word)) &&
    words.every((word) => CONTINUE_WORDS.has(word) || GENERIC_WORDS.has(word))
  );
}

/** Whether a prompt agrees to the offer at the start of the session. */
export function isAgreement(prompt: string): boolean {
  return /^\s*(?:yes|yep|yeah|ok|okay|sure|do it|please do|ja|genau|oui|s[ií]|да|好|はい|네)(?![\p{L}\p{N}])/iu.test(
    prompt,
  );
}
