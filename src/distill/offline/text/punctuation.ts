/** Ends a sentence without a space after it: “。”, “।”, “؟”; every script has its own. */
export const ownSentenceEnd = /[^\P{Sentence_Terminal}.!?]/u;

/** Of Latin, Chinese, Arabic, Armenian and Ethiopic writing. */
const questionMark = /[?？؟՞፧]/;
const questionAtEnd = /[?？؟՞፧]["'”’)）」』]*\s*$/;
/** A particle at the end asks as well: “どちらにしますか。”, “要继续吗。”, “放这里行不行”, “진행할까요.” */
const questionParticle =
  /(?:(?:ます|です|ません|でしょう|ましょう)か|[吗嗎]|(?:까|나|가)요|니까|([行好对可能要是会有])不\1\p{Script=Han}{0,2})["'”’)）」』]*[。．.…]?\s*$/u;

export function hasQuestion(text: string): boolean {
  return questionMark.test(text);
}

export function endsInQuestion(text: string): boolean {
  return questionAtEnd.test(text) || questionParticle.test(text);
}
