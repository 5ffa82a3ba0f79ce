import { bindChoice } from '../../continuity/work-items/bind-session.ts';
import { chooseWorkItem } from '../../continuity/work-items/choose-work-item.ts';
import { EMPTY_FRAME } from '../../framing/frame.ts';
import { findWorkPlace } from '../../memory/locate.ts';
import type { Redacted } from '../../model/redacted.ts';
import type { BoundBy, WorkItem } from '../../model/work.ts';
import type { Log } from '../../platform/log.ts';
import type { HookStore } from '../../store/store.ts';
import { createBudget } from '../budget.ts';
import { type Context, NO_CONTEXT, wrapContext } from '../context.ts';
import type { ContextRequest } from '../context-request.ts';
import { formatWorkItem, hasSomethingLeft, readWorkItem } from './work-item-details.ts';

export interface PromptWork extends Context {
  /** The name of the work item that this prompt has joined by its words. */
  joined?: string;
}

/**
 * Binds a session without a work item to the one that the prompt is about, if there is one. @returns the context of the
 * session's work item, if the session has not seen it yet: the person returns to earlier work.
 */
export function buildWorkAtPrompt(
  store: HookStore,
  request: ContextRequest,
  { words, permissionMode, log }: { words: Redacted; permissionMode: string | null; log: Log },
): PromptWork {
  const { agent, agentSession, now } = request;
  const own = store.findSessionWorkItem(agentSession);
  // The follow step may have handled this prompt first. Then the session is bound, but has not seen its work item.
  const work = own?.closedAt === null ? own : bindToKnown(words);
  const bond = work && store.getBinding(agentSession);
  if (!bond || KNOWN_ALREADY.includes(bond.by)) return NO_CONTEXT;
  const hasJoined = JOINED_BY_WORDS.includes(bond.by) && now - bond.at < SAME_PROMPT_MS;
  return { ...buildOnce(store, request, work), ...(hasJoined && { joined: work.name }) };

  /** A new work item is left to the follow step: its name comes from the prompt, and redacting that takes time. */
  function bindToKnown(text: string): WorkItem | null {
    const query = { agentSession, ...findWorkPlace(request), text };
    const choice = chooseWorkItem(store, { ...query, now });
    if (!choice || choice.work === 'new') return null;
    return bindChoice(store, { agent, ...query, permissionMode, at: now, log }, choice).work;
  }
}

function buildOnce(store: HookStore, request: ContextRequest, work: WorkItem): Context {
  const { agentSession, settings, longest, now } = request;
  if (settings['context.workTokens'] === 0) return NO_CONTEXT;
  if (store.wasWorkItemShown(agentSession, work.id, 0)) return NO_CONTEXT;
  const budget = createBudget({ tokens: settings['context.workTokens'], characters: longest });
  const details = readWorkItem(store, work);
  const isWorthShowing = hasSomethingLeft(details) || details.decisions.length > 0;
  const lines = isWorthShowing && budget.spend(EMPTY_FRAME) ? formatWorkItem(details, budget, now) : [];
  // Recorded even without content, because later changes are made by this session.
  store.recordWorkItemShown(agentSession, work.id, now);
  return lines.length > 0 ? wrapContext(lines, { tokens: budget.tokensSpent() }) : NO_CONTEXT;
}

/** A new work item has nothing to show, and the agent knows a work item that it chose itself. */
const KNOWN_ALREADY: BoundBy[] = ['new', 'agent'];
/** The prompt did not name the work item, so the person may have meant something else. */
const JOINED_BY_WORDS: BoundBy[] = ['staged', 'similar'];
/** A binding younger than this was made by this prompt. */
const SAME_PROMPT_MS = 5_000;
