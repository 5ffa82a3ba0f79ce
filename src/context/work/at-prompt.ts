import { type Binding, bindChoice } from '../../continuity/work-items/bind-session.ts';
import { chooseWorkItem } from '../../continuity/work-items/choose-work-item.ts';
import { EMPTY_FRAME } from '../../framing/frame.ts';
import { findWorkPlace } from '../../memory/locate.ts';
import type { Redacted } from '../../model/redacted.ts';
import type { BoundBy } from '../../model/work.ts';
import type { Log } from '../../platform/log.ts';
import type { HookStore } from '../../store/store.ts';
import { createBudget } from '../budget.ts';
import { type Context, NO_CONTEXT, wrapContext } from '../context.ts';
import type { ContextRequest } from '../context-request.ts';
import { formatWorkItem, hasSomethingLeft, readWorkItem } from './work-item-details.ts';

/**
 * Binds a session to the work that its first prompt is about. @returns that work, where the session was not
 * given it at its start: the person returns to earlier work.
 */
export function buildWorkAtPrompt(
  store: HookStore,
  request: ContextRequest,
  { words, permissionMode, log }: { words: Redacted; permissionMode: string | null; log: Log },
): Context {
  const { agent, agentSession, settings, longest, now } = request;
  const own = store.findSessionWorkItem(agentSession);
  // The follow step may have seen this prompt before us: then the session is bound, but was not given its work item.
  const bound =
    own?.closedAt === null
      ? { work: own, by: store.getBindingReason(agentSession) ?? 'new' }
      : bindToKnown(words);
  if (!bound || KNOWN_ALREADY.includes(bound.by) || settings['context.workTokens'] === 0) return NO_CONTEXT;
  if (store.wasWorkItemShown(agentSession, bound.work.id, 0)) return NO_CONTEXT;
  const budget = createBudget({ tokens: settings['context.workTokens'], characters: longest });
  const told = readWorkItem(store, bound.work);
  const isWorthTelling = hasSomethingLeft(told) || told.decisions.length > 0;
  const lines = isWorthTelling && budget.spend(EMPTY_FRAME) ? formatWorkItem(told, budget, now) : [];
  // Also where there is nothing to tell: what comes to it from now on is the session's own doing.
  store.recordWorkItemShown(agentSession, bound.work.id, now);
  return lines.length > 0 ? wrapContext(lines, { tokens: budget.tokensSpent() }) : NO_CONTEXT;

  /** A new work item is left to the follow step: its name comes from the prompt, and redacting that takes time. */
  function bindToKnown(text: string): Binding | null {
    const asked = { agentSession, ...findWorkPlace(request), text };
    const choice = chooseWorkItem(store, { ...asked, now });
    if (!choice || choice.work === 'new') return null;
    return bindChoice(store, { agent, ...asked, permissionMode, at: now, log }, choice);
  }
}

/** Of what is new there is nothing to tell, and what the agent has chosen itself it knows. */
const KNOWN_ALREADY: BoundBy[] = ['new', 'agent'];
