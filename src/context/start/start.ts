import { EMPTY_FRAME } from '../../framing/frame.ts';
import { toOneLine } from '../../framing/stored-lines.ts';
import { withCairnCommand } from '../../platform/cairn-command.ts';
import { createFreshness } from '../../recall/freshness.ts';
import type { ContextStore } from '../../store/store.ts';
import type { StoredMemory } from '../../store/types/memory.ts';
import { type Budget, createBudget } from '../budget.ts';
import { type Context, type LeftOutMemory, NO_CONTEXT, type ShownMemory, wrapContext } from '../context.ts';
import type { ContextRequest } from '../context-request.ts';
import { selectBestClaims } from './best-claims.ts';
import { formatDayIndex } from './day-index.ts';
import { describeLastSession, listOpenSteps, undistilledWork, type WorkLine } from './last-work.ts';
import { findUseful, type UsefulMemory } from './useful-memories.ts';

export interface StartOptions {
  /** As the agent reports it: startup, resume, clear, compact, fork … */
  source: string;
  /** False if injections cannot be recorded: memories would be given again later. */
  givesInFull?: boolean;
}

const MORE =
  'More: the tools `search` and `get` of the MCP server cairn, or `cairn search <words>` and `cairn show <id>` in a shell.';
const SESSIONS_LOOKED_AT = 3;
/** Shares of the budget: the index gets the rest. */
const SHARE_OF_WORK = 0.25;
const SHARE_OF_CLAIMS = { few: 0.9, many: 0.65 };
/** With at most this many memories the index adds little to their claims. */
const FEW_MEMORIES = 25;
/** A resumed session still has its conversation, so only memories of other sessions since then are new. */
const SHARE_ON_RESUME = 0.2;

/** The context of a session when it starts or continues. */
export function buildStart(store: ContextStore, request: ContextRequest, options: StartOptions): Context {
  if (request.settings['context.tokens'] === 0) return NO_CONTEXT;
  switch (options.source) {
    case 'resume':
      return buildSinceThen(store, request);
    case 'fork':
      // A fork has the conversation of the other session, with everything that it was given.
      return NO_CONTEXT;
    case 'compact':
      return buildAfterCompaction(store, request, options);
    default:
      return buildFull(store, request, options);
  }
}

function buildFull(
  store: ContextStore,
  request: ContextRequest,
  { givesInFull = true }: StartOptions,
): Context {
  const { settings, project } = request;
  const limits = { observations: settings['context.observations'], summaries: settings['context.summaries'] };
  const summaries = store.listLastSummaries({
    projectId: project.id,
    limit: Math.max(limits.summaries, SESSIONS_LOOKED_AT),
  });
  const recentFiles = filesOf(summaries.slice(0, SESSIONS_LOOKED_AT));
  const freshnessOf = createFreshness(request.top);
  const useful = findUseful(store, request, { recentFiles, freshnessOf, limit: limits.observations });
  const undistilled = undistilledWork(
    store.lastUndistilledTurn(project.id, { except: request.agentSession }),
    request.top,
  );
  if (useful.length + summaries.length + undistilled.length === 0) return NO_CONTEXT;

  const intro = `What Cairn remembers of ${toOneLine(project.name)}:`;
  const budget = budgetFor(request, [intro, withCairnCommand(MORE)]);
  const later = [...summaries, ...useful.map(({ memory }) => memory)];
  const sessions = summaries.slice(0, limits.summaries);
  const work = budget.part(SHARE_OF_WORK);
  const open = section('Left open:', listOpenSteps(sessions, later, request), work);
  const last = section(
    'Last session:',
    [...undistilled, ...describeLastSession(sessions, request.branches)],
    work,
  );
  const share = useful.length > FEW_MEMORIES ? SHARE_OF_CLAIMS.many : SHARE_OF_CLAIMS.few;
  const ofSummaries = sessions.map((memory) => ({
    ...{ memory, freshness: freshnessOf(memory), reasons: ['a recent session'] },
    ...{ score: 0, isPermanent: false },
  }));
  const full = givesInFull
    ? selectBestClaims([...useful, ...ofSummaries], budget.part(share), [...open.lines, ...last.lines])
    : EMPTY;
  const shownIds = new Set([...open.shown, ...last.shown, ...full.shown].map(({ memoryId }) => memoryId));
  const lines = [
    ...sessions.map((memory) => ({ memory, freshness: freshnessOf(memory), reasons: ['a recent session'] })),
    ...useful,
  ].filter(({ memory }) => !shownIds.has(memory.id));
  const index = formatDayIndex(firstFew(lines), budget, {
    observations: limits.observations - full.shown.length,
    summaries: sessions.length,
  });
  return page(intro, [open, last, full, index], budget, useful);
}

/** The session's own work, which its summary may have lost, and permanent memories. */
function buildAfterCompaction(
  store: ContextStore,
  request: ContextRequest,
  { givesInFull = true }: StartOptions,
): Context {
  const { settings, agentSession } = request;
  const freshnessOf = createFreshness(request.top);
  const observations = settings['context.observations'];
  const own = store.listSessionMemories(agentSession, observations + SESSIONS_LOOKED_AT);
  const summaries = own.filter(({ kind }) => kind === 'summary');
  const useful = findUseful(store, request, { recentFiles: filesOf(own), freshnessOf, limit: observations });
  const ownIds = new Set(own.map(({ id }) => id));
  const kept = useful.filter(({ memory, isPermanent }) => isPermanent || ownIds.has(memory.id));
  if (kept.length + summaries.length === 0) return NO_CONTEXT;

  const intro =
    'What Cairn remembers from this session before it was compacted, with preferences and global memories.';
  const budget = budgetFor(request, [intro, withCairnCommand(MORE)]);
  const open = section(
    'Left open:',
    listOpenSteps(summaries.slice(0, 1), own, request),
    budget.part(SHARE_OF_WORK),
  );
  const full = givesInFull ? selectBestClaims(kept, budget.part(SHARE_OF_CLAIMS.few), open.lines) : EMPTY;
  const shownIds = new Set(full.shown.map(({ memoryId }) => memoryId));
  const rest = kept.filter(({ memory }) => !shownIds.has(memory.id));
  const index = formatDayIndex(rest, budget, {
    observations: observations - full.shown.length,
    summaries: 0,
  });
  return page(intro, [open, full, index], budget, kept);
}

function buildSinceThen(store: ContextStore, request: ContextRequest): Context {
  const { project, agentSession, settings } = request;
  const times = store.getSessionTimes(agentSession);
  if (!times) return NO_CONTEXT;
  const own = new Set(store.listSessionMemories(agentSession, 500).map(({ id }) => id));
  const freshnessOf = createFreshness(request.top);
  const news = findUseful(store, request, {
    recentFiles: [],
    freshnessOf,
    limit: settings['context.observations'],
  }).filter(({ memory }) => memory.at > times.lastSeen && !own.has(memory.id));
  const intro = `Learned in ${toOneLine(project.name)} since this session was last open (from Cairn):`;
  const budget = budgetFor(request, [intro]);
  const index = formatDayIndex(news, budget.part(SHARE_ON_RESUME), {
    observations: settings['context.observations'],
    summaries: 0,
  });
  if (index.lines.length === 0) return NO_CONTEXT;
  return wrapContext([intro, ...index.lines], { tokens: budget.tokensSpent(), shown: index.shown });
}

interface Section {
  lines: string[];
  shown: ShownMemory[];
}

const EMPTY: Section = { lines: [], shown: [] };

function section(heading: string, lines: WorkLine[], budget: Budget): Section {
  const first = lines.findIndex(({ text }) => budget.spend(`${heading}\n${text}`));
  if (first === -1) return EMPTY;
  const fittingLines = lines.slice(first).filter(({ text }, index) => index === 0 || budget.spend(text));
  return {
    lines: [heading, ...fittingLines.map(({ text }) => text)],
    shown: fittingLines.flatMap(({ shown }) => shown ?? []),
  };
}

/** A few recent sessions come before all observations, the others after them. */
function firstFew<T extends { memory: StoredMemory }>(entries: T[]): T[] {
  const isSummary = ({ memory }: T) => memory.kind === 'summary';
  const summaries = entries.filter(isSummary);
  const others = entries.filter((entry) => !isSummary(entry));
  return [...summaries.slice(0, SESSIONS_LOOKED_AT), ...others, ...summaries.slice(SESSIONS_LOOKED_AT)];
}

/** The budget without the fixed lines; empty if even those do not fit. */
function budgetFor({ settings, longest }: ContextRequest, fixed: string[]): Budget {
  const budget = createBudget({ tokens: settings['context.tokens'], characters: longest });
  const isPaid = [EMPTY_FRAME, ...fixed].every((line) => budget.spend(line));
  return isPaid ? budget : createBudget({ tokens: 0, characters: 0 });
}

function page(intro: string, sections: Section[], budget: Budget, considered: UsefulMemory[]): Context {
  const lines = sections.flatMap((section) => section.lines);
  if (lines.length === 0) return NO_CONTEXT;
  const shown = mergeShown(sections.flatMap((section) => section.shown));
  const leftOut = findLeftOut(considered, shown);
  return wrapContext([intro, ...lines, withCairnCommand(MORE)], {
    ...{ tokens: budget.tokensSpent(), shown, leftOut },
  });
}

function findLeftOut(considered: UsefulMemory[], shown: ShownMemory[]): LeftOutMemory[] {
  const known = new Set(shown.map(({ memoryId }) => memoryId));
  return considered
    .filter(({ memory }) => !known.has(memory.id))
    .map(({ memory, score, parts, freshness }) => ({
      ...{ memoryId: memory.id, score, parts },
      reason: freshness.state === 'gone' ? 'its files are gone' : 'no room left',
    }));
}

/** A summary may be shown twice, for its next steps and for itself; its tokens are added up. */
function mergeShown(shown: ShownMemory[]): ShownMemory[] {
  const known = new Map<number, ShownMemory>();
  for (const entry of shown) {
    const before = known.get(entry.memoryId);
    const tokens = entry.tokens + (before?.tokens ?? 0);
    known.set(entry.memoryId, { ...entry, tokens, reasons: [...(before?.reasons ?? []), ...entry.reasons] });
  }
  return [...known.values()];
}

function filesOf(memories: StoredMemory[]): string[] {
  return [...new Set(memories.flatMap(({ filesModified }) => filesModified))];
}
