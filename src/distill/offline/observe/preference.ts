import { isStandingRule, refusal } from '../standing-rule.ts';
import { capitalise } from '../text/capitals.ts';
import { countWords, isEmptyTalk } from '../text/roles.ts';
import { firstSentences, shorten } from '../text/shorten.ts';
import { createObservation, type Observer } from './observer.ts';

/** How it is done here, said after a “no”; “no, the other file” is meant for this once. */
const customHere =
  /\b(?:we (?:use|don't|do not)|use \S+,? (?:not|instead)|not \S+,? (?:but|use)|only (?:use|run|edit)|in this (?:repo|project|codebase)|here,? we|(?:nutzen|verwenden) (?:wir|hier))\b|このプロジェクト|这个项目/i;
const custom =
  /\b(?:that is|that's) (?:what|how) (?:all )?(?:our|we)\b|\b(?:like|as) (?:in )?all our other\b/i;
const name =
  /\b(?:[\w-]+\/)+[\w.-]+|\b[\w-]+\.[a-z]{2,4}\b|(?<!\S)--[a-z][\w-]+|\b(?:p?npm|yarn|bun|git|pip|uv|poetry|cargo|docker|CI|API|commits?|tests?)\b/g;

/** What the person wants done always, never or otherwise, in their own words. Weighs most of all. */
export const preference: Observer = ({ request: { own } }) => {
  const rules = own.filter((text) => isStandingRule(text) || custom.test(text));
  const words = own.join(' ');
  const corrects = own[0] !== undefined && refusal.test(own[0]) && customHere.test(words);
  const first = rules[0] ?? (corrects ? own.find((text) => customHere.test(text)) : undefined);
  if (first === undefined) return [];
  const said = own
    .filter((text, at) => at >= own.indexOf(first) || countWords(text) >= 4)
    .map((text) => text.replace(refusal, ''))
    .filter((text) => text !== '' && !isEmptyTalk(text));
  return [
    createObservation({
      type: 'preference',
      title: asRule(first),
      narrative: firstSentences(said, 500),
      facts: rules.filter((text) => text !== first).map(asRule),
      concepts: [...words.matchAll(name)].map(([found]) => found).slice(0, 6),
      filesRead: [],
      filesModified: [],
      events: [],
    }),
  ];
};

function asRule(words: string): string {
  const bare = words
    .replace(refusal, '')
    .replace(/^(?:(?:and|but|also|please|remember|that works|und|aber|auch|bitte)[:,]?\s+)+/i, '');
  return capitalise(shorten(bare.replace(/[.。]$/, ''), 120));
}
