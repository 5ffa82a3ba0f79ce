import type { ScorePart } from '../../model/score-part.ts';
import { findChangedFiles } from '../../platform/git/index-file.ts';
import { isOfAnotherBranch, isOfThisBranch } from '../../recall/branch.ts';
import { describeFreshness, type Freshness } from '../../recall/freshness.ts';
import type { ContextStore } from '../../store/store.ts';
import type { Candidate } from '../../store/types/context.ts';
import type { StoredMemory } from '../../store/types/memory.ts';
import type { ContextRequest } from '../context-request.ts';
import { freshnessPenalty, kindOf, kindPoints } from '../memory-worth.ts';
import { formatDay } from '../words.ts';

/** A memory and its usefulness for a session that starts now. */
export interface UsefulMemory {
  memory: StoredMemory;
  freshness: Freshness;
  score: number;
  reasons: string[];
  parts: ScorePart[];
  /** Pinned, a preference, or global: always given. */
  isPermanent: boolean;
}

const RECENT = 80;
const OF_A_KIND = 40;
/** The latest changed files: an ongoing task has recent ones. */
const MOST_KNOWN_FILES = 60;
const DAY_MS = 86_400_000;
/** Changes older than this count as abandoned. */
const CHANGED_WITHIN_MS = 14 * DAY_MS;

/** The most useful first, at most `limit`. `recentFiles`: files of the last sessions. */
export function findUseful(
  store: ContextStore,
  request: ContextRequest,
  { recentFiles, freshnessOf, limit }: UsefulQuery,
): UsefulMemory[] {
  const { project, branches, settings } = request;
  const ask = { projectId: project.id, limit: OF_A_KIND, team: settings['context.team'] };
  const about = (files: string[]) =>
    files.length > 0 ? store.listCandidates({ ...ask, which: 'files', files }) : [];
  const permanent = store.listCandidates({ ...ask, which: 'standing' });
  const aboutRecent = about(recentFiles);
  const aboutChanged = about(changedFiles(store, request));
  const ownBranch =
    branches.current && branches.current !== branches.main
      ? store.listCandidates({ ...ask, which: 'branch', branch: branches.current })
      : [];
  const recent = store.listCandidates({ ...ask, which: 'recent', limit: RECENT });
  const found = [...recent, ...ownBranch, ...aboutRecent, ...aboutChanged, ...permanent];
  const candidates = [...new Map(found.map((memory) => [memory.id, memory])).values()];
  const files = { recent: idsOf(aboutRecent), changed: idsOf(aboutChanged) };

  const rated = candidates.map((candidate) => ({ candidate, score: scoreOf(candidate, request, files) }));
  // Ten more than wanted, because stale memories move down and others move up.
  const best = rated
    .sort((a, b) => b.score - a.score || b.candidate.id - a.candidate.id)
    .slice(0, limit + 10);
  const whole = new Map(
    store.getMemories(best.map(({ candidate }) => candidate.id)).map((memory) => [memory.id, memory]),
  );
  return best
    .flatMap(({ candidate, score }) => {
      const memory = whole.get(candidate.id);
      const parts = listParts(candidate, request, files);
      return memory
        ? [withFreshness({ memory, score, parts, isPermanent: isPermanent(candidate) }, freshnessOf(memory))]
        : [];
    })
    .sort((a, b) => b.score - a.score || b.memory.id - a.memory.id)
    .slice(0, limit);
}

export interface UsefulQuery {
  recentFiles: string[];
  freshnessOf: (memory: StoredMemory) => Freshness;
  limit: number;
}

/** Which memories are about files of the last sessions, and about uncommitted changes. */
interface AboutFiles {
  recent: Set<number>;
  changed: Set<number>;
}

function idsOf(candidates: Candidate[]): Set<number> {
  return new Set(candidates.map(({ id }) => id));
}

function changedFiles(store: ContextStore, { project, agentSession, top, now }: ContextRequest): string[] {
  const unknownTo = { agentSession, since: 0 };
  const known = store.listNotableFiles({ projectId: project.id, unknownTo, limit: MOST_KNOWN_FILES });
  return findChangedFiles(top, known, { since: now - CHANGED_WITHIN_MS });
}

/** A positive or negative signal for a memory. The text is built only for memories that are shown. */
interface Reason {
  points(candidate: Candidate, request: ContextRequest, files: AboutFiles): number;
  words(candidate: Candidate): string;
}

const REASONS: Reason[] = [
  { points: ({ pinnedAt }) => (pinnedAt === null ? 0 : 8), words: () => 'pinned' },
  { points: ({ scope }) => (scope === 'global' ? 4 : 0), words: () => 'applies to all projects' },
  { points: (candidate) => kindPoints(candidate, 'start'), words: kindOf },
  {
    points: (candidate, { branches }) => (isOfThisBranch(candidate, branches) ? 3 : 0),
    words: () => 'from this branch',
  },
  {
    points: (candidate, { branches }) => (isOfAnotherBranch(candidate, branches) ? -4 : 0),
    words: ({ branch }) => `from branch ${branch}, not merged`,
  },
  {
    points: ({ id }, _, { changed }) => (changed.has(id) ? 3 : 0),
    words: () => 'about files with uncommitted changes',
  },
  {
    points: ({ id }, _, { recent }) => (recent.has(id) ? 2 : 0),
    words: () => 'about files of recent sessions',
  },
  {
    points: ({ strength }) => (strength > 1 ? Math.min(2, Math.log2(strength)) : 0),
    words: ({ strength }) => `seen ${strength} times`,
  },
  {
    points: ({ at }, { now }) => 2 * Math.exp(-Math.max(0, now - at) / (14 * DAY_MS)),
    words: ({ at }) => `from ${formatDay(at)}`,
  },
];

function scoreOf(candidate: Candidate, request: ContextRequest, files: AboutFiles): number {
  let score = 0;
  for (const { points } of REASONS) score += points(candidate, request, files);
  return score;
}

function listParts(candidate: Candidate, request: ContextRequest, files: AboutFiles): ScorePart[] {
  return REASONS.map(({ points, words }) => ({ points: points(candidate, request, files), words }))
    .filter(({ points }) => Math.abs(points) >= 0.1)
    .sort((a, b) => Math.abs(b.points) - Math.abs(a.points))
    .map(({ points, words }) => ({ name: words(candidate), points }));
}

function isPermanent({ pinnedAt, type, scope }: Candidate): boolean {
  return pinnedAt !== null || type === 'preference' || scope === 'global';
}

function withFreshness(
  useful: Omit<UsefulMemory, 'freshness' | 'reasons'>,
  freshness: Freshness,
): UsefulMemory {
  const words = describeFreshness(freshness);
  const penalty = freshnessPenalty(freshness, 'start');
  const parts = words ? [...useful.parts, { name: words, points: -penalty }] : useful.parts;
  return {
    ...useful,
    ...{ freshness, parts, score: useful.score - penalty },
    reasons: parts.map(({ name }) => name),
  };
}
