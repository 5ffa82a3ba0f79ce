import { readTurnWords } from '../capture/agent-words.ts';
import { clearModelProblem, saveModelProblem } from '../capture/model-problem.ts';
import { redactValue } from '../capture/redact/redact-value.ts';
import type { ModelAccess } from '../config/environment.ts';
import type { Settings } from '../config/settings.ts';
import { addChangedFiles } from '../distill/changed-files.ts';
import { cutEarlierMemories, listEarlierStatements } from '../distill/corrections/earlier-memories.ts';
import { saveResult } from '../distill/distill-turn.ts';
import { checkBudget, startOfDay } from '../distill/model/budget.ts';
import { distillWithModel } from '../distill/model/distill.ts';
import { loadInstructions } from '../distill/model/instructions.ts';
import { distillOffline } from '../distill/offline/distill.ts';
import { createProvider } from '../distill/providers/create.ts';
import { type ModelProvider, ProviderError } from '../distill/providers/provider.ts';
import { type ReadWords, splitTurn } from '../distill/split-turn.ts';
import type { Turn } from '../distill/turn.ts';
import type { Log } from '../platform/log.ts';
import type { Paths } from '../platform/paths.ts';
import { retryAt } from '../queue/backoff.ts';
import type { Store } from '../store/store.ts';
import type { Job } from '../store/types/job.ts';
import type { ModelCall } from '../store/types/memory.ts';

const KIND = 'polish';
const MOST_BAD_ANSWERS = 3;

export interface PolisherOptions {
  paths: Paths;
  settings: Settings;
  access: ModelAccess;
  log: Log;
  now: () => number;
}

/** Replaces offline results by those of a model, turn by turn. On errors the offline result stays. */
export interface Polisher {
  /** The kinds of jobs that the worker waits for. */
  kinds(): string[];
  polish(store: Store, stop: AbortSignal): Promise<boolean>;
}

export function createPolisher({ paths, settings, access, log, now }: PolisherOptions): Polisher {
  const wanted = { mode: settings['distill.mode'], language: settings['distill.language'] };
  const { system, problems } = loadInstructions(paths.home, wanted);
  for (const problem of problems) log.warn('distilling instructions', { problem });
  let provider: ModelProvider | undefined;
  let pausedUntil = 0;
  let failuresInARow = 0;
  let isStopped = false;

  async function polish(store: Store, stop: AbortSignal): Promise<boolean> {
    if (isStopped || stop.aborted || now() < pausedUntil) return false;
    const budget = checkBudget(store.countModelCalls(startOfDay(now())), settings, now());
    if (!budget.ok) {
      stopFor(budget.why);
      return false;
    }
    const jobs: Job[] = [];
    while (jobs.length < settings['model.concurrency']) {
      const job = store.claimJob([KIND], now(), settings['model.timeoutSeconds'] * 3_000);
      if (!job) break;
      jobs.push(job);
    }
    await Promise.all(jobs.map((job) => polishOne(store, job, stop)));
    return jobs.length > 0;
  }

  async function polishOne(store: Store, job: Job, stop: AbortSignal): Promise<void> {
    const stored = store.readTurn(job.turnId);
    if (!stored) return store.finishJob(job);
    const readWords: ReadWords = (each) => readTurnWords(paths, each).words;
    const pieces = splitTurn(store, stored, readWords(stored));
    const turn = joinPieces(addChangedFiles(pieces, stored, now()));
    try {
      provider ??= createProvider(settings, access);
      const { distilled, outdated, usage } = await distillWithModel(turn, distillOffline(turn), provider, {
        ...{ system, signal: stop, clean: redactValue },
        earlier: listEarlierStatements(store, stored),
      });
      note(store, job, usage, null);
      const distiller = `${provider.name}:${provider.model}`;
      const corrected = cutEarlierMemories(store, stored, outdated);
      saveResult(store, job, stored, distilled, { distiller, now, corrected, readWords });
      failuresInARow = 0;
      clearModelProblem(paths);
      log.info('turn polished', { turn: job.turnId, tokens: usage.tokensIn + usage.tokensOut });
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      if (error.spent.calls > 0) note(store, job, error.spent, error.message);
      handle(store, job, error);
    }
  }

  function handle(store: Store, job: Job, trouble: ProviderError): void {
    // A server may quote the request, key included.
    const reason = redactValue(trouble.message);
    log.warn('turn not polished', { turn: job.turnId, kind: trouble.kind, reason });
    if (trouble.kind === 'bad-answer') {
      if (job.attempts >= MOST_BAD_ANSWERS) store.buryJob(job, reason, now());
      else store.postponeJob(job, reason, retryAt(job.attempts, now()));
      return;
    }
    failuresInARow++;
    pausedUntil = trouble.retryAfterMs ? now() + trouble.retryAfterMs : retryAt(failuresInARow, now());
    store.postponeJob(job, reason, pausedUntil);
    if (trouble.kind === 'will-not-heal') stopFor(reason);
  }

  /** The next worker tries again. */
  function stopFor(why: string): void {
    isStopped = true;
    saveModelProblem(paths, { why: redactValue(why), since: now() });
    log.error('model disabled', { why });
  }

  function note(store: Store, job: Job, spent: ProviderError['spent'], error: string | null): void {
    const { name, model } = provider ?? { name: settings['model.provider'], model: null };
    const { calls, tokensIn, tokensOut } = spent;
    for (let call = 1; call <= calls; call++) {
      const tokens = call === 1 ? { tokensIn, tokensOut } : { tokensIn: 0, tokensOut: 0 };
      const modelCall: ModelCall = { at: now(), provider: name, model, turnId: job.turnId, ...tokens, error };
      store.recordModelCall(redactValue(modelCall));
    }
  }

  return { kinds: () => (isStopped ? [] : [KIND]), polish };
}

/** A model gets a limited digest anyway, so it gets the whole turn at once. */
function joinPieces(pieces: Turn[]): Turn {
  const [first, ...rest] = pieces;
  if (!first) throw new Error('a turn has at least one piece');
  return {
    ...first,
    calls: [first, ...rest].flatMap(({ calls }) => calls),
    changedFiles: [first, ...rest].flatMap(({ changedFiles }) => changedFiles),
    said: [first, ...rest].flatMap(({ said }) => said),
    reports: [first, ...rest].flatMap(({ reports }) => reports),
    closingWords: pieces.at(-1)?.closingWords ?? '',
  };
}
