import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../../platform/installation.ts';

/** A sentence of a prompt is a rule, a lasting fact or a decision, or it is over with the turn. */
export const PROMPT_KINDS = ['rule', 'fact', 'decision', 'passing'] as const;
export type PromptKind = (typeof PROMPT_KINDS)[number];

/** How likely each kind is, from 0 to 1. */
export type KindShares = Record<PromptKind, number>;

/** For each sign the weight of each kind, in their order. */
export type KindWeights = ReadonlyMap<string, readonly number[]>;

export function weighPromptKinds(signs: Iterable<string>, weights = readWeights()): KindShares {
  const sums = PROMPT_KINDS.map(() => 0);
  for (const sign of signs)
    for (const [index, weight] of (weights.get(sign) ?? []).entries())
      sums[index] = (sums[index] ?? 0) + weight;
  const most = Math.max(...sums);
  const shares = sums.map((sum) => Math.exp(sum - most));
  const whole = shares.reduce((sum, share) => sum + share, 0);
  return Object.fromEntries(
    PROMPT_KINDS.map((kind, index) => [kind, (shares[index] ?? 0) / whole]),
  ) as KindShares;
}

let known: KindWeights | undefined;

function readWeights(): KindWeights {
  known ??= parseWeights(
    readFileSync(join(packageRoot(), 'dist/assets/distill/offline/prompt-kinds/weights.txt'), 'utf8'),
  );
  return known;
}

/** A line each: the sign, then the weights after a tab. */
export function parseWeights(text: string): KindWeights {
  return new Map(
    text
      .split('\n')
      .filter((line) => line.includes('\t'))
      .map((line) => {
        const [sign = '', weights = ''] = line.split('\t');
        return [sign, weights.split(' ').map(Number)];
      }),
  );
}
