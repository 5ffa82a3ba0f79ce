import {
  findWaitingWorkItems,
  isOpenElsewhere,
  STALE_MS,
} from '../../continuity/work-items/waiting-work-items.ts';
import { EMPTY_FRAME } from '../../framing/frame.ts';
import { findWorkPlace } from '../../memory/locate.ts';
import type { WorkItem } from '../../model/work.ts';
import { withCairnCommand } from '../../platform/cairn-command.ts';
import type { ContinuityStore } from '../../store/store.ts';
import { createBudget } from '../budget.ts';
import { type Context, NO_CONTEXT, wrapContext } from '../context.ts';
import type { ContextRequest } from '../context-request.ts';
import {
  formatTitleLine,
  formatWorkItem,
  hasSomethingLeft,
  listDecisions,
  readOverview,
  type WorkItemDetails,
} from './work-item-details.ts';

const MOST_OTHERS = 3;

export interface WorkContext extends Context {
  /** The work item in full. */
  details: WorkItemDetails | null;
}

export const NO_WORK_CONTEXT: WorkContext = { ...NO_CONTEXT, details: null };

/**
 * The context about pending work items at the start of a session. `claim` takes a handoff for this session, because
 * each is given once. After a compaction, the session's own work item, which the summary may have lost.
 */
export function buildWorkAtStart(
  store: ContinuityStore,
  request: ContextRequest,
  { source, claim }: { source: string; claim: (handoffId: number) => boolean },
): WorkContext {
  const { settings, agentSession, longest, now } = request;
  const tokens = settings['context.workTokens'];
  // A resumed or forked conversation contains it already.
  if (tokens === 0 || source === 'resume' || source === 'fork') return NO_WORK_CONTEXT;
  const own = agentSession === '' ? null : store.findSessionWorkItem(agentSession);
  const staged =
    source === 'compact'
      ? []
      : [
          ...findWaitingWorkItems(store, findWorkPlace(request), now, { left: 'anything' }),
          ...findUnfinished(store, request),
        ];
  const works = own ? [own, ...staged.filter(({ id }) => id !== own.id)] : staged;
  // /clear ends the previous session, even if that event is not stored yet.
  const isBusy = (work: WorkItem) => source !== 'clear' && isOpenElsewhere(store, work, agentSession, now);
  const open = works
    .filter(({ closedAt }) => closedAt === null)
    .slice(0, MOST_OTHERS + 1)
    .map((work) => readOverview(store, work))
    .filter(hasSomethingLeft);
  const chosen = open.find(({ work }) => !isBusy(work)) ?? open[0];
  if (!chosen) return NO_WORK_CONTEXT;
  const details = { ...chosen, decisions: listDecisions(store, chosen.work) };

  // Another session may just have taken the handoff. A session may read the handoff that it wrote.
  const isOwn = details.handoff?.agentSession === agentSession;
  if (details.handoff && !isOwn && !claim(details.handoff.id)) details.handoff = null;
  const budget = createBudget({ tokens, characters: longest });
  budget.spend(EMPTY_FRAME);
  const busy = isBusy(details.work)
    ? ['(Another session worked on it a moment ago and has not ended: do not do the same twice.)']
    : [];
  const lines = [...formatWorkItem(details, budget, now), ...busy.filter((line) => budget.spend(line))];
  if (lines.length === 0) return NO_WORK_CONTEXT;
  const others = open
    .filter((other) => other !== chosen)
    .slice(0, MOST_OTHERS)
    .map(formatTitleLine);
  const heading = withCairnCommand('Also open (to switch: `cairn work switch <name>`):');
  const also = others.length > 0 && budget.spend([heading, ...others].join('\n')) ? [heading, ...others] : [];
  return { ...wrapContext([...lines, ...also], { tokens: budget.tokensSpent() }), details };
}

/** Work items with open tasks but without plan or handoff: the latest, this checkout first. */
function findUnfinished(store: ContinuityStore, { project, worktree, now }: ContextRequest): WorkItem[] {
  const isHere = (work: WorkItem) => Number(work.worktree === worktree);
  return store
    .listWorkItems({ projectId: project.id, modes: ['idle'], left: 'tasks', limit: MOST_OTHERS + 1 })
    .filter(({ changedAt }) => now - changedAt < STALE_MS)
    .sort((a, b) => isHere(b) - isHere(a) || b.changedAt - a.changedAt);
}
