import { fold } from '../../indexing/fold.ts';
import { stem } from '../../indexing/stem.ts';
import type { WorkItem } from '../../model/work.ts';
import type { ContinuityStore } from '../../store/store.ts';
import { isCommonWord } from './content-words.ts';

/** A work item and the words of the prompt that it contains. */
export interface WordOverlap {
  work: WorkItem;
  shared: ReadonlySet<string>;
}

/** This many work items are read completely; of the others only name, title and next steps. */
const READ_WHOLE = 20;
const WITH_MEMORIES = 4;
const MEMORIES_READ = 8;

/**
 * A match needs two distinctive words and half of the prompt, or one and nearly all of it: a new work item is better
 * than a wrong one.
 */
const HALF = 0.5;
const NEARLY_ALL = 0.8;
/** The factor by which the best must lead; otherwise none is chosen. */
const CLEARLY_AHEAD = 1.25;
const WEIGHT_OF_COMMON = 0.15;

/** `words`: the stemmed words of a prompt. */
export function findOverlaps(
  store: ContinuityStore,
  works: WorkItem[],
  words: ReadonlySet<string>,
): WordOverlap[] {
  const findIn = finderOf(words);
  return works.map((work, at) => {
    const { name, title, nextSteps } = work;
    const rest = at < READ_WHOLE ? textsOf(store, work, at < WITH_MEMORIES) : [];
    return { work, shared: findIn([name, title, nextSteps, ...rest].join('\n')) };
  });
}

function textsOf(store: ContinuityStore, { id, mode }: WorkItem, withMemories: boolean): string[] {
  const [handoff] = mode === 'has_handoff' ? store.listHandoffs({ workId: id, limit: 1 }) : [];
  const memories = withMemories ? store.listWorkItemMemoryTitles(id, { limit: MEMORIES_READ }) : [];
  return [
    withoutCommands(store.findAcceptedPlan(id)?.text ?? ''),
    ...store.listTasks(id).map(({ subject }) => subject),
    ...memories.map(({ title }) => title),
    ...(handoff ? [handoff.parts.goal, handoff.parts.state, ...handoff.parts.nextSteps] : []),
  ];
}

/** Removes commands: `npm test` in a plan is how it is checked, not its subject. */
function withoutCommands(plan: string): string {
  return plan.replace(/^(`{3,})[^\n]*\n[\s\S]*?^\1`*$/gm, ' ').replace(/`[^`\n]*\s[^`\n]*`/g, ' ');
}

/** Searches texts for the few words of a prompt. Tokenising a hundred work items would take a hook too long. */
function finderOf(words: ReadonlySet<string>): (text: string) => Set<string> {
  const plain = [...words].filter((word) => /^[a-z0-9]+$/.test(word));
  const others = [...words].filter((word) => !/^[a-z0-9]+$/.test(word));
  // A stem ends in `i` if its words end in `y`.
  const beginnings = plain.map((word) => word.replace(/i$/, '[iy]'));
  const form = new RegExp(`(?<![a-z0-9])(?:${beginnings.join('|')})[a-z0-9]*`, 'g');
  return (text) => {
    const folded = fold(text.replace(/([a-z0-9])([A-Z])/g, '$1 $2'));
    const joined = /[a-z0-9][-_][a-z0-9]/.test(folded) ? `${folded} ${folded.replace(/[-_]/g, '')}` : folded;
    const found = new Set(others.filter((word) => joined.includes(word)));
    if (plain.length === 0) return found;
    for (const [match] of joined.matchAll(form)) {
      const word = stem(match);
      if (words.has(word)) found.add(word);
    }
    return found;
  };
}

/** The clear winner, or null. A word counts more if fewer work items contain it. */
export function pickClosest(words: ReadonlySet<string>, works: WordOverlap[]): WorkItem | null {
  const weights = new Map([...words].map((word) => [word, weightOf(word, works)]));
  const weigh = (some: Iterable<string>) => {
    let sum = 0;
    for (const word of some) sum += weights.get(word) ?? 0;
    return sum;
  };
  const all = weigh(words);
  const [best, second] = works
    .map(({ work, shared }) => {
      const distinctive = [...shared].filter((word) => !isCommonWord(word)).length;
      const share = weigh(shared) / all;
      const isEnough = share >= (distinctive > 1 ? HALF : NEARLY_ALL) && distinctive > 0 && shared.size > 1;
      return { work, share, isEnough };
    })
    .sort((a, b) => b.share - a.share);
  if (!best?.isEnough) return null;
  return second && best.share < second.share * CLEARLY_AHEAD ? null : best.work;
}

function weightOf(word: string, works: WordOverlap[]): number {
  const mentions = works.filter(({ shared }) => shared.has(word)).length;
  const rarity = Math.log(1 + (works.length + 1) / (mentions + 1));
  return isCommonWord(word) ? rarity * WEIGHT_OF_COMMON : rarity;
}
