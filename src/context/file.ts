import { realpathSync } from 'node:fs';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { EMPTY_FRAME } from '../framing/frame.ts';
import { oneLine } from '../framing/stored-lines.ts';
import { isOfAnotherBranch } from '../recall/branch.ts';
import { createFreshness } from '../recall/freshness.ts';
import type { ContextStore } from '../store/store.ts';
import type { StoredMemory } from '../store/types/memory.ts';
import { createBudget } from './budget.ts';
import type { ContextRequest } from './context-request.ts';
import { type Offer, offers } from './given.ts';

const MOST = 3;
const LOOKED_AT = 30;
/** What does harm if the reader does not know it comes first. */
const WORTH: Record<string, number> = {
  gotcha: 5,
  preference: 4,
  note: 4,
  decision: 3,
  'how-it-works': 2,
  bugfix: 1,
};

export function fileIntro(path: string): string {
  return `Memories about ${oneLine(path)} (from Cairn):`;
}

/** What an agent should know before it reads this file, which is named from the top of the checkout. */
export function offersForFile(
  store: ContextStore,
  request: ContextRequest,
  path: string,
  given: Set<number>,
): Offer[] {
  const { project, branches, settings, longest } = request;
  const freshnessOf = createFreshness(request.top);
  const wanted = store
    .memoriesAboutFile({ projectId: project.id, path, limit: LOOKED_AT })
    .filter((memory) => !given.has(memory.id) && !isOfAnotherBranch(memory, branches))
    .map((memory) => {
      const freshness = freshnessOf(memory);
      const less = { unchanged: 0, unknown: 0.5, changed: freshness.namesStand ? 0.5 : 2, gone: 9 }[
        freshness.state
      ];
      return {
        memory,
        freshness,
        reasons: [`${kindOf(memory)} about ${oneLine(path)}`],
        score: worthOf(memory) - less,
      };
    })
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || b.memory.at - a.memory.at);
  const budget = createBudget({ tokens: settings['context.fileTokens'], characters: longest });
  budget.spend(EMPTY_FRAME);
  budget.spend(fileIntro(path));
  return offers(wanted, budget, MOST);
}

/** As memories name it: from the top of the checkout, with slashes; a file outside keeps its whole path. */
export function pathFromTop(path: string, top: string, cwd: string): string {
  const whole = real(resolve(cwd, path));
  const inside = relative(real(top), whole);
  const isOutside = inside === '' || inside.startsWith('..') || isAbsolute(inside);
  return isOutside ? whole : inside.split(sep).join('/');
}

function worthOf(memory: StoredMemory): number {
  const pinned = memory.pinnedAt === null ? 0 : 3;
  return (WORTH[kindOf(memory)] ?? 0) + pinned + Math.min(1, Math.log2(Math.max(1, memory.strength)) / 2);
}

function kindOf({ type, kind }: StoredMemory): string {
  return type ?? kind;
}

function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
