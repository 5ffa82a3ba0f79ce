import type { SearchText } from '../store/types/search.ts';

/*
 * The patterns are created by functions: creating them takes 0.4 ms, and hooks load this file without using them.
 */

/** What answers to "how many", "when", "who" and "why" contain, for any subject. */
const mentionForms = () => ({
  number:
    /\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve|dozen|couple|several|hundred|thousand|million)\b/i,
  time: /\b(?:yesterday|today|tomorrow|tonight|last|next|ago|weeks?|weekends?|months?|years?|days?|morning|afternoon|evening|night|(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|june|july|august|september|october|november|december|recently|soon|[12]\d{3}|\d+(?:st|nd|rd|th))\b/i,
  name: /[^.!?\s]\s+\p{Lu}\p{Ll}/u,
  cause: /\b(?:because|since|so that|so|therefore|reason|due to|caused?|in order to)\b/i,
});

/** How people state rules and preferences: word lists, one per language or two. */
const instructionForms = (): RegExp[] => [
  /\b(?:always|never|from (?:now|today) on|going forward|whenever|every time|each time|remember to|prefer(?:red|ably|ence|ences)?|rather|instead of|please (?:don't|do not|stop|avoid|keep|use|only|respond|explain|include|write)|avoid|favou?r|i (?:really )?(?:like|love|hate|dislike|enjoy|usually|tend to|can't stand)|my rule|(?:don't|do not) (?:use|recommend|suggest|mention|include|add|write|give me))\b/i,
  /\b(?:immer|niemals|nie|ab (?:jetzt|sofort|heute)|künftig|bevorzuge|lieber|am liebsten|bitte (?:nicht|keine?n?|immer|nur)|ich (?:mag|hasse))(?!\w)/i,
  /\b(?:toujours|jamais|désormais|dorénavant|à partir de maintenant|je préfère|j'aime|je déteste|évite[rz]?|plutôt)(?!\w)/i,
  /\b(?:siempre|nunca|de ahora en adelante|a partir de ahora|prefiero|me gustan?|odio|sempre|mai|d'ora in poi|preferisco|prefiro|a partir de agora)(?!\w)/i,
  /всегда|никогда|отныне|впредь|предпочитаю|мне нравится/i,
  /总是|永远|从现在(?:起|开始)|从今以后|我(?:更)?喜欢|请(?:不要|勿|始终)|不要用|必ず|いつも|今後|これからは|の(?:ほう|方)が好き|しないで/,
  /항상|절대|앞으로|선호/,
];
/** The mention for a text that matches one of these patterns. */
export const INSTRUCTION = 'instruction';

export type Mention = keyof ReturnType<typeof mentionForms>;

export function detectTraits(text: string): Pick<SearchText, 'asks' | 'mentions'> {
  const mentions = Object.entries(mentionForms()).flatMap(([name, form]) => (form.test(text) ? [name] : []));
  if (instructionForms().some((form) => form.test(text))) mentions.push(INSTRUCTION);
  return { asks: questionShare(text), mentions: mentions.join(' ') };
}

/** The share of a text in questions, which answer nothing. */
function questionShare(text: string): number {
  let inQuestions = 0;
  let all = 0;
  for (const sentence of text.match(/[^.!?。！？\n]+[.!?。！？]*/g) ?? []) {
    const length = sentence.trim().length;
    all += length;
    if (/[?？]\s*$/.test(sentence)) inQuestions += length;
  }
  return all === 0 ? 0 : inQuestions / all;
}
