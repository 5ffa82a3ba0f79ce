import { redactValue } from '../../capture/redact/redact-value.ts';
import type { GitState, Handoff, HandoffParts, WorkItem } from '../../model/work.ts';
import { readGitState } from '../../platform/git/state.ts';
import type { Log } from '../../platform/log.ts';
import type { Store } from '../../store/store.ts';
import type { NewHandoff } from '../../store/types/work.ts';
import { changeMode, reconcileMode, reopenWorkItem, switchSession } from '../work-items/work-items.ts';
import { formatHandoff } from './handoff-markdown.ts';
import { collectHandoffParts } from './handoff-parts.ts';

/** Git may be slow in a huge repository. A handoff without its state is better than a long wait. */
const GIT_MS = 3_000;

export interface HandoffOptions {
  store: Store;
  log: Log;
  now: () => number;
}

export interface HandoffRequest {
  work: WorkItem;
  /** The author's own text. Each part replaces the one from the memory. */
  words?: Partial<HandoffParts>;
  by: Handoff['by'];
  agentSession: string | null;
  folder: string;
  /** The member it is for; by default it is for the next session here. */
  to?: string;
}

/** Writes a handoff of a work item and stages it for the next session. */
export async function saveHandoff(options: HandoffOptions, request: HandoffRequest): Promise<Handoff> {
  const git = await readGitState(request.folder, { timeoutMs: GIT_MS });
  return saveHandoffWithGit(options, request, git ?? null);
}

/** For callers that already have the state of git. */
export function saveHandoffWithGit(
  { store, log, now }: HandoffOptions,
  { work, words = {}, by, agentSession, folder, to }: HandoffRequest,
  git: GitState | null,
): Handoff {
  // Outside the transaction, because it reads a lot and other processes want to write.
  const parts = mergeAuthorParts(collectHandoffParts(store, work, folder), cleanWords(words));
  return store.runInTransaction(() => {
    const at = now();
    const plan = store.findAcceptedPlan(work.id);
    const fresh: NewHandoff = {
      workId: work.id,
      parts,
      tasks: store
        .listTasks(work.id)
        .filter(({ state }) => state !== 'dropped')
        .map(({ number, subject, state }) => ({ number, subject, state })),
      plan: plan && { version: plan.version, text: plan.text },
      git,
      by,
      agentSession,
      at,
      to: to ?? null,
    };
    const handoff = store.addHandoff(redactValue(fresh));
    if (git) {
      const where = { agentSession, workId: work.id, folder, at };
      store.saveGitState({ ...redactValue(where), moment: 'handoff', state: redactValue(git) });
    }
    const open = work.closedAt === null ? work : reopenWorkItem(store, work, { at, log });
    changeMode(store, open, 'handed off', { at, log });
    reconcileMode(store, work.id, { at, log });
    return handoff;
  });
}

/** Each part replaces the one from the memory; only the note is added to it. */
function mergeAuthorParts(known: HandoffParts, words: Partial<HandoffParts>): HandoffParts {
  const notes = [words.note, known.note].filter((note) => note);
  return { ...known, ...words, note: notes.join('\n\n') };
}

/** Redacts the parts. One without any remaining text becomes empty. */
function cleanWords(words: Partial<HandoffParts>): Partial<HandoffParts> {
  const clean = redactValue(words);
  return Object.fromEntries(
    Object.entries(clean).filter(([, part]) => part !== undefined && part.length > 0),
  );
}

export interface ResumeRequest {
  handoff: Handoff;
  /** The session that continues; null if a person reads the handoff. */
  session: { agent: string; agentSession: string } | null;
}

export type ResumeResult = { text: string; work: WorkItem } | { problem: string };

/** Returns the text of a handoff, only once, and binds the session to its work item. */
export function resumeHandoff(
  { store, log, now }: HandoffOptions,
  { handoff, session }: ResumeRequest,
): ResumeResult {
  return store.runInTransaction(() => {
    const at = now();
    const work = store.getWorkItem(handoff.workId);
    const state = store.getHandoff(handoff.id)?.state;
    if (!work || !state) return { problem: 'This handoff no longer exists.' };
    const name = `handoff ${handoff.number} of ${work.name}`;
    if (session && handoff.agentSession === session.agentSession)
      return {
        problem: `This session wrote ${name} itself; it is for the next session. To read it: cairn handoff show`,
      };
    const isAvailable = session
      ? store.giveHandoff(handoff.id, redactValue(session.agentSession), at)
      : state === 'staged';
    if (!isAvailable) return { problem: `The ${name} is ${state} already. To read it: cairn handoff show` };
    // Even if only a person reads it: the agent that they paste it into must not get it twice.
    store.setHandoffState(handoff.id, 'taken', at);
    const taken = session
      ? switchSession(store, { ...session, workId: work.id, by: 'agent', at, log })
      : reconcileMode(store, work.id, { at, log });
    return { text: formatHandoff(handoff, work), work: taken ?? work };
  });
}
