import { isAbsolute, relative, resolve, sep } from 'node:path';
import { EMPTY_FRAME } from '../framing/frame.ts';
import { toOneLine } from '../framing/stored-lines.ts';
import type { ScorePart } from '../model/score-part.ts';
import { realPath } from '../platform/files.ts';
import { isOfAnotherBranch } from '../recall/branch.ts';
import { createFreshness, describeFreshness, type Freshness } from '../recall/freshness.ts';
import type { ContextStore } from '../store/store.ts';
import type { StoredMemory } from '../store/types/memory.ts';
import { createBudget } from './budget.ts';
import type { LeftOutMemory } from './context.ts';
import type { ContextRequest } from './context-request.ts';
import { findLeftOut } from './left-out.ts';
import { freshnessPenalty, kindOf, kindPoints } from './memory-worth.ts';
import { type Offer, selectOffers } from './offers.ts';

const MOST = 3;
const LOOKED_AT = 30;
export function formatFileIntro(path: string): string {
  return `Memories about ${toOneLine(path)} (from Cairn):`;
}

/** The context before a file is read; its path is relative to the top of the checkout. Other memories go into `leftOut`. */
export function selectForFile(
  store: ContextStore,
  request: ContextRequest,
  path: string,
  given: Set<number>,
  leftOut: LeftOutMemory[] = [],
): Offer[] {
  const { project, branches, settings, longest } = request;
  const freshnessOf = createFreshness(request.top);
  const wanted = store
    .listFileMemories({ projectId: project.id, path, limit: LOOKED_AT, team: settings['context.team'] })
    .filter((memory) => !given.has(memory.id) && !isOfAnotherBranch(memory, branches))
    .map((memory) => {
      const freshness = freshnessOf(memory);
      return {
        memory,
        freshness,
        reasons: [`${kindOf(memory)} about ${toOneLine(path)}`],
        ...rateMemory(memory, freshness),
      };
    })
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || b.memory.at - a.memory.at);
  const budget = createBudget({ tokens: settings['context.fileTokens'], characters: longest });
  budget.spend(EMPTY_FRAME);
  budget.spend(formatFileIntro(path));
  const offers = selectOffers(wanted, budget, MOST);
  const considered = wanted.map(({ memory, score, parts }) => ({ memoryId: memory.id, score, parts }));
  leftOut.push(...findLeftOut(considered, offers, 'no room left'));
  return offers;
}

/** The path as in memories: relative to the top of the checkout, with slashes. A file outside keeps its full path. */
export function pathFromTop(path: string, top: string, cwd: string): string {
  const whole = realPath(resolve(cwd, path));
  const inside = relative(realPath(top), whole);
  const isOutside = inside === '' || inside.startsWith('..') || isAbsolute(inside);
  return isOutside ? whole : inside.split(sep).join('/');
}

function rateMemory(memory: StoredMemory, freshness: Freshness): { score: number; parts: ScorePart[] } {
  const parts = [
    { name: kindOf(memory), points: kindPoints(memory, 'file') },
    { name: 'pinned', points: memory.pinnedAt === null ? 0 : 3 },
    {
      name: `seen ${memory.strength} times`,
      points: Math.min(1, Math.log2(Math.max(1, memory.strength)) / 2),
    },
    { name: describeFreshness(freshness) || 'not checked', points: -freshnessPenalty(freshness, 'file') },
  ];
  return {
    score: parts.reduce((sum, { points }) => sum + points, 0),
    parts: parts.filter(({ points }) => points !== 0),
  };
}
