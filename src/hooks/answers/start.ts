import { existsSync, rmSync } from 'node:fs';
import { type Context, joinContexts } from '../../context/context.ts';
import { buildStart } from '../../context/start/start.ts';
import { buildWorkAtStart, NO_WORK_CONTEXT, type WorkContext } from '../../context/work/at-start.ts';
import { describeError } from '../../platform/log.ts';
import { type AnswerCall, buildInProject, type OpenCall } from './answer-call.ts';
import { followCaptured } from './follow-captured.ts';
import {
  createInjection,
  describeContext,
  keepContext,
  listKnownFiles,
  recordIfPossible,
} from './give-memories.ts';

/** The start context's share of the agent's limit when it is given with a prompt. */
const SHARE_WITH_PROMPT = 0.6;

export interface StartContext extends Context {
  /** The name of the work item in the context. */
  work?: string | undefined;
}

/** The context for a session start, whatever its source. */
export function buildStartContext(call: AnswerCall, source: string): StartContext {
  const { settings, paths } = call;
  // `existsSync` comes first because `rmSync` loads a module even if the file is missing.
  if (settings['context.prompt'] === 'on' && existsSync(paths.quietPrompts)) wakePrompts(call);
  let work: WorkContext = NO_WORK_CONTEXT;
  const context = buildInProject(call, (open) => {
    followCaptured(open);
    work = giveWork(open, source);
    // With a prompt, the prompt's own context follows.
    const room = call.event.kind === 'prompt' ? SHARE_WITH_PROMPT : 1;
    const longest = Math.max(0, Math.floor(open.request.longest * room) - work.text.length - 1);
    const context = giveStartMemories({ ...open, request: { ...open.request, longest } }, source, work);
    // A prompt comes before the first read and has more time.
    if (source === 'compact' || settings['context.prompt'] === 'off') listKnownFiles(open);
    return context;
  });
  return { ...context, work: work.details?.work.name };
}

function wakePrompts({ paths, log }: AnswerCall): void {
  try {
    rmSync(paths.quietPrompts, { force: true });
  } catch (error) {
    log.warn('prompts stay without answers', { cause: describeError(error) });
  }
}

function giveWork(call: OpenCall, source: string): WorkContext {
  const { store, request, log, now, until, latest } = call;
  const { agentSession } = request;
  const claim = (handoffId: number): boolean =>
    now() <= until && store.giveHandoff(handoffId, agentSession, request.now);
  try {
    const work = buildWorkAtStart(store, request, { source, claim });
    const { details } = work;
    if (details && now() <= latest)
      recordIfPossible(call, () => store.recordWorkItemShown(agentSession, details.work.id, request.now));
    return work;
  } catch (error) {
    log.warn('no work given', { cause: describeError(error) });
    return NO_WORK_CONTEXT;
  }
}

/** A memory that cannot be recorded as given is only listed. */
function giveStartMemories(call: OpenCall, source: string, work: Context): Context {
  const { store, request, log, now, latest } = call;
  const memories = buildStart(store, request, { source });
  const context = joinContexts(work, memories);
  const full = memories.shown.filter(({ how }) => how !== 'line');
  if (full.length === 0 || now() > latest) return keepContext(call, 'start', context);
  try {
    recordIfPossible(call, () =>
      store.recordNewInjections(
        full.map((shown) => createInjection(call, 'start', shown)),
        request.now,
        () => describeContext(call, 'start', context),
      ),
    );
    return context;
  } catch (error) {
    log.warn('nothing given in full', { cause: describeError(error) });
    return joinContexts(work, buildStart(store, request, { source, givesInFull: false }));
  }
}
