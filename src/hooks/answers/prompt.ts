import { redactValue } from '../../capture/redact/redact-value.ts';
import { type Context, type LeftOutMemory, NO_CONTEXT } from '../../context/context.ts';
import type { KnownMemories } from '../../context/offers.ts';
import { buildWorkAtPrompt, type PromptWork } from '../../context/work/at-prompt.ts';
import type { Redacted } from '../../model/redacted.ts';
import { writeAtomically } from '../../platform/files.ts';
import { describeError } from '../../platform/log.ts';
import { type AnswerCall, buildInProject, type OpenCall } from './answer-call.ts';
import { giveMemories, keepContext, listKnownFiles } from './give-memories.ts';

const INDEX_MS = 10;
/** Redacting 256 KB takes 90 ms, this much at most 5 ms. Of a longer prompt, beginning and end are used. */
const LONGEST_PROMPT = 32_000;

/** Loaded for prompts only: it takes longer than the rest of a hook. */
export type PromptSearch = typeof import('../../context/prompt.ts');

/** The context for a person's prompt. */
export function buildPromptContext(
  call: AnswerCall,
  search: PromptSearch | undefined,
  prompt: string,
): PromptWork {
  if (call.settings['context.prompt'] === 'off') {
    writeAtomically(call.paths.quietPrompts, '');
    return NO_CONTEXT;
  }
  // Redacted before the search: matched words are stored as the reason of an injection.
  const words = redactValue(prompt, { maxText: LONGEST_PROMPT });
  let work: PromptWork = NO_CONTEXT;
  const context = buildInProject(call, (open) => {
    work = bindWorkFromPrompt(open, words);
    const context = giveRelevantMemories(open, search, words, work);
    listKnownFiles(open);
    return context;
  });
  return { ...context, ...(work.joined && { joined: work.joined }) };
}

/** A session's first prompt selects its work item, which is given now if the session did not get it at its start. */
function bindWorkFromPrompt(
  { store, request, event, log, now, until }: OpenCall,
  words: Redacted,
): PromptWork {
  if (event.subagent || now() > until) return NO_CONTEXT;
  const { permissionMode = null } = event;
  try {
    return buildWorkAtPrompt(store, request, { words, permissionMode, log });
  } catch (error) {
    log.warn('session not bound to a work item', { cause: describeError(error) });
    return NO_CONTEXT;
  }
}

function giveRelevantMemories(
  call: OpenCall,
  search: PromptSearch | undefined,
  words: Redacted,
  work: Context,
): Context {
  const { store, request, log, now } = call;
  if (!search?.isWorthLookingUp(words)) return keepContext(call, 'prompt', work);
  try {
    search.indexPendingDocs(store, { now, mostMs: INDEX_MS });
  } catch (error) {
    log.debug('index left to others', { cause: describeError(error) });
  }
  const choose = (known: KnownMemories, leftOut: LeftOutMemory[]) =>
    search.selectForPrompt(store, request, words, known, leftOut);
  return giveMemories(call, 'prompt', search.PROMPT_INTRO, choose, work);
}
