import type { KindShares } from '../prompt-kinds/kinds.ts';
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
  choice: 'states a choice',
  refutation: 'refutes a guess',
  negation: 'says what is not so',
  named: 'names code, a file or an error',
  measured: 'has a number with a unit',
  error: 'names an error',
  correctsAgent: "corrects the agent's words",
  afterFailure: 'follows a failed call',
  underNext: 'says what is left to do',
};

const MOST = 3;

export function describeSource(from: SentenceSource): string {
  return SOURCES[from];
}

const KIND_REASONS = {
  rule: 'reads like a rule',
  fact: 'reads like a lasting fact',
  decision: 'reads like a decision',
} as const;

/** The weightiest reasons for which a sentence was kept. */
export function describeReasons({ features, kinds }: Pick<RatedSentence, 'features' | 'kinds'>): string[] {
  const own = (Object.keys(WEIGHTS) as (keyof typeof WEIGHTS)[])
    .map((feature) => ({ reason: REASONS[feature], weight: WEIGHTS[feature] * (features[feature] ?? 0) }))
    .filter(({ reason, weight }) => reason !== undefined && weight > 0)
    .sort((a, b) => b.weight - a.weight)
    .map(({ reason }) => reason ?? '');
  return [...(kinds ? [describeKind(kinds)] : []), ...own].slice(0, MOST);
}

function describeKind(kinds: KindShares): string {
  const [best = 'rule'] = (['rule', 'fact', 'decision'] as const).toSorted((a, b) => kinds[b] - kinds[a]);
  return KIND_REASONS[best];
}
