import type { RatedSentence, SentenceSource } from './rated-sentence.ts';
import { type SentenceFeature, WEIGHTS } from './weights.ts';

const SOURCES: Record<SentenceSource, string> = {
  person: 'the person',
  answer: "the person's choice",
  plan: 'the accepted plan',
  between: 'the agent, between two calls',
  report: "a subagent's report",
  compaction: 'the summary of a compaction',
  commit: 'a commit message',
  closing: "the agent's closing words",
};

/** What speaks for a sentence, in words for people. */
const REASONS: Partial<Record<SentenceFeature, string>> = {
  cause: 'says why',
  contrast: 'names an alternative',
  obligation: 'says what must or may not be',
  condition: 'names a condition',
  choice: 'tells a choice',
  refutation: 'refutes a guess',
  negation: 'says what is not so',
  named: 'names code, a file or an error',
  measured: 'has a measured number',
  error: 'names an error',
  personRule: 'a lasting rule',
  personMust: 'a rule',
  personTells: 'gives a reason',
  correction: 'a correction',
  correctsAgent: "corrects the agent's words",
  answersAgent: 'answers a question',
  afterFailure: 'follows a failed call',
  underNext: 'is left to do',
};

const MOST = 3;

export function describeSource(from: SentenceSource): string {
  return SOURCES[from];
}

/** The weightiest reasons for which a sentence was kept. */
export function describeReasons({ features }: Pick<RatedSentence, 'features'>): string[] {
  return (Object.keys(features) as SentenceFeature[])
    .map((feature) => ({ reason: REASONS[feature], weight: WEIGHTS[feature] * (features[feature] ?? 0) }))
    .filter(({ reason, weight }) => reason !== undefined && weight > 0)
    .sort((a, b) => b.weight - a.weight)
    .slice(0, MOST)
    .map(({ reason }) => reason ?? '');
}
