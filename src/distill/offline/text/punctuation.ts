/** Ends a sentence without a space after it: “。”, “।”, “؟”; every script has its own. */
export const ownSentenceEnd = /[^\P{Sentence_Terminal}.!?]/u;

/** Of Latin, Chinese, Arabic, Armenian and Ethiopic writing. */
const questionMark = /[?？؟՞፧]/;
const questionAtEnd = /[?？؟՞፧]["'”’)）」』]*\s*$/;

export function hasQuestion(text: string): boolean {
  return questionMark.test(text);
}

export function endsInQuestion(text: string): boolean {
  return questionAtEnd.test(text);
}
