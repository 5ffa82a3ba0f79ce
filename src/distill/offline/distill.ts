import type { Distilled } from '../../model/memory.ts';
import type { Turn, TurnCall } from '../turn.ts';
import { addCompaction } from './compaction.ts';
import { type Evidence, readEvidence } from './evidence.ts';
import { chooseSentences } from './rating/choose.ts';
import { collectCandidates } from './rating/collect.ts';
import { contentWords, rateAll, subjectWords, type TurnFacts } from './rating/measure.ts';
import type { DroppedSentence, KeptSentence } from './rating/rated-sentence.ts';
import { type Request, readRequest } from './request.ts';
import { summarise } from './summary.ts';
import { findNames } from './text/names.ts';
import { hasQuestion } from './text/punctuation.ts';
import { observeTopics } from './topics/observe.ts';

/** A question of the agent is in its last words. */
const LAST_WORDS = 1_500;
const LONGEST_COMMAND = 500;

/**
 * What is worth remembering of a turn, without any model: every sentence is rated, the informative ones are kept as
 * claims, and claims about the same topic are one observation. The calls are the evidence. The same turn always gives
 * the same result. Never throws.
 */
export function distillOffline(turn: Turn): Distilled {
  const { compaction = '' } = turn;
  if (onlyMachinery(turn)) return { observations: [], summary: addCompaction(null, compaction) };
  const request = readRequest(turn);
  const evidence = readEvidence(turn);
  const { claims } = readKeptSentences(turn, evidence, request);
  const observations = observeTopics(turn, request, claims, evidence);
  const summary = summarise({ turn, request, claims, evidence, observations });
  return { observations, summary: addCompaction(summary, compaction) };
}

/** Which sentences of a turn are kept, with their rating, and why the others are not. */
export function explainTurn(turn: Turn): { claims: KeptSentence[]; dropped: DroppedSentence[] } {
  return readKeptSentences(turn, readEvidence(turn), readRequest(turn));
}

/** The sentences that are kept of a turn, and the others with the reason. */
export function readKeptSentences(
  turn: Turn,
  evidence: Evidence,
  request: Request,
): { claims: KeptSentence[]; dropped: DroppedSentence[] } {
  const facts = factsOf(turn);
  return chooseSentences(rateAll(collectCandidates(turn, evidence.commits, request.picked), facts));
}

export function factsOf({ prompt, calls, earlierWords, closingWords }: Turn): TurnFacts {
  const failed = calls.flatMap(({ outcome }, place) => (outcome === 'failure' ? [place] : []));
  return {
    failedPlaces: new Set(failed),
    questionWords: hasQuestion(prompt) ? contentWords(prompt) : new Set(),
    requestWords: contentWords(prompt),
    requestSubject: new Set(subjectWords(prompt)),
    doneNames: new Set(calls.flatMap(namesDone)),
    isAnswer: hasQuestion(earlierWords.slice(-LAST_WORDS)),
    isCut: closingWords === '',
    earlierWords,
  };
}

/** What a call changed or ran. */
function namesDone({ does, command, files }: TurnCall): string[] {
  if (does === 'command') return findNames(command?.slice(0, LONGEST_COMMAND) ?? '');
  return does === 'change' ? files.flatMap(({ path }) => [path, path.slice(path.lastIndexOf('/') + 1)]) : [];
}

/** A command for the agent itself, such as `/compact`: what came of it belongs to the turns before. */
function onlyMachinery({ prompt, calls }: Turn): boolean {
  return calls.length === 0 && /^\/[a-z][\w:-]*(?:\s|$)/.test(prompt);
}
