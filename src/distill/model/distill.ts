import { frameMaterial } from '../../framing/frame.ts';
import type { Framed } from '../../model/framed.ts';
import type { Distilled } from '../../model/memory.ts';
import { type ModelProvider, type ModelUsage, ProviderError } from '../providers/provider.ts';
import type { Turn } from '../turn.ts';
import { ANSWER_SCHEMA, type Answered, readAnswer } from './answer.ts';
import { digestTurn } from './digest.ts';
import { readFindings } from './findings.ts';
import { clipMiddle } from './fit-entries.ts';
import { keepWeightySentences } from './keep-weighty-sentences.ts';
import { pickStatements, selectStatements } from './outdated.ts';

export interface ModelDistillOptions {
  system: string;
  signal: AbortSignal;
  /** Takes secrets out of what goes to the model and of what comes from it. */
  clean: (text: string) => string;
  /** What the session's memories say so far, the latest first: the turn may show that some of it is wrong. */
  earlier: string[];
}

export interface ModelResult {
  distilled: Distilled;
  /** Of the earlier statements those that no longer hold. */
  outdated: string[];
  usage: ModelUsage;
}

const MOST_TOKENS_OUT = 4_000;
const LONGEST_BAD_ANSWER = 4_000;

/**
 * Asks a model to distil a turn: one request, and a second one only if the answer cannot be used. A ProviderError
 * includes the tokens spent.
 */
export async function distillWithModel(
  turn: Turn,
  offline: Distilled,
  provider: ModelProvider,
  { system, signal, clean, earlier }: ModelDistillOptions,
): Promise<ModelResult> {
  const usage: ModelUsage = { calls: 0, tokensIn: 0, tokensOut: 0 };

  async function ask(user: string): Promise<string> {
    usage.calls += 1;
    const request = { system, user: sendable(user), schema: ANSWER_SCHEMA, maxTokens: MOST_TOKENS_OUT };
    const { text, tokensIn, tokensOut } = await provider.complete(request, signal);
    usage.tokensIn += tokensIn;
    usage.tokensOut += tokensOut;
    return text;
  }

  try {
    const findings = readFindings(turn);
    const shown = selectStatements(earlier);
    const judge = ({ distilled, outdated }: Answered): ModelResult => ({
      distilled: keepWeightySentences(distilled, offline, findings.claims),
      outdated: pickStatements(shown, outdated),
      usage,
    });
    const question = frameMaterial('turn', clean(digestTurn(turn, findings, shown)));
    const reply = await ask(question);
    const answer = readAnswer(reply, turn, clean);
    if (answer.ok) return judge(answer);

    const repaired = readAnswer(await ask(repairOf(question, clean(reply), answer.problem)), turn, clean);
    if (repaired.ok) return judge(repaired);
    throw new ProviderError('bad-answer', `${provider.model} gave no usable answer, twice.`);
  } catch (error) {
    if (error instanceof ProviderError) error.spent = usage;
    throw error;
  }
}

function repairOf(question: Framed, reply: string, problem: string): string {
  const shown = reply.trim() === '' ? '(nothing)' : clipMiddle(reply, LONGEST_BAD_ANSWER);
  return `${question}

Your last answer could not be used:
${problem}

It was:
${frameMaterial('answer', shown)}

Answer again, with the whole JSON object and nothing else.`;
}

/** Broken surrogates and control characters make some providers reject the whole request. */
function sendable(text: string): string {
  return text.replace(/(?![\n\t])[\p{Cc}\p{Surrogate}]/gu, '');
}
