import { changedAmong } from '../../platform/git-index.ts';
import { isOfAnotherBranch, isOfThisBranch } from '../../recall/branch.ts';
import { type Freshness, freshnessWords } from '../../recall/freshness.ts';
import type { Candidate, ContextStore } from '../../store/context-store.ts';
import type { StoredMemory } from '../../store/memory-store.ts';
import { day as dayOf } from '../present-entry.ts';
import type { Scene } from '../scene.ts';

/** A memory with how useful it is for a session that begins now. */
export interface Useful {
  memory: StoredMemory;
  freshness: Freshness;
  score: number;
  reasons: string[];
  /** Pinned, a preference, or global: always told. */
  stands: boolean;
}

const RECENT = 80;
const OF_A_KIND = 40;
/** The latest: who is in the midst of something has been there lately. */
const MOST_KNOWN_FILES = 120;
const DAY_MS = 86_400_000;
/** What nobody has touched for longer is left lying rather than worked on. */
const CHANGED_WITHIN_MS = 14 * DAY_MS;

/** What each kind is worth to somebody who begins; a mere change can be read in the code. */
const KINDS: Record<string, number> = {
  preference: 4,
  note: 3,
  gotcha: 2,
  decision: 2,
  'how-it-works': 1.5,
  bugfix: 1,
  discovery: 1,
  feature: 0.5,
  refactor: 0.3,
  change: 0,
};

/** The most useful first, at most `limit`. `recentFiles` are those that the last sessions worked on. */
export function usefulHere(
  store: ContextStore,
  scene: Scene,
  { recentFiles, freshnessOf, limit }: UsefulQuery,
): Useful[] {
  const { project, branches } = scene;
  const ask = { projectId: project.id, limit: OF_A_KIND };
  const about = (files: string[]) =>
    files.length > 0 ? store.candidates({ ...ask, which: 'files', files }) : [];
  const standing = store.candidates({ ...ask, which: 'standing' });
  const aboutRecent = about(recentFiles);
  const aboutChanged = about(changedFiles(store, scene));
  const ownBranch =
    branches.current && branches.current !== branches.main
      ? store.candidates({ ...ask, which: 'branch', branch: branches.current })
      : [];
  const recent = store.candidates({ ...ask, which: 'recent', limit: RECENT });
  const found = [...recent, ...ownBranch, ...aboutRecent, ...aboutChanged, ...standing];
  const candidates = [...new Map(found.map((each) => [each.id, each])).values()];
  const files = { recent: idsOf(aboutRecent), changed: idsOf(aboutChanged) };

  const rated = candidates.map((candidate) => ({ candidate, score: scoreOf(candidate, scene, files) }));
  // One more than needed of each could still move up: whatever has become stale moves down.
  const best = rated
    .sort((a, b) => b.score - a.score || b.candidate.id - a.candidate.id)
    .slice(0, limit + 10);
  const whole = new Map(
    store.memoriesById(best.map(({ candidate }) => candidate.id)).map((each) => [each.id, each]),
  );
  return best
    .flatMap(({ candidate, score }) => {
      const memory = whole.get(candidate.id);
      const reasons = reasonsFor(candidate, scene, files);
      return memory
        ? [withFreshness({ memory, score, reasons, stands: isStanding(candidate) }, freshnessOf(memory))]
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

/** Which memories are about files of the last sessions, and about files with changes that nobody has committed. */
interface AboutFiles {
  recent: Set<number>;
  changed: Set<number>;
}

function idsOf(candidates: Candidate[]): Set<number> {
  return new Set(candidates.map(({ id }) => id));
}

/** Somebody is in the midst of something there, be it an agent or the person. */
function changedFiles(store: ContextStore, { project, agentSession, top, now }: Scene): string[] {
  const unknownTo = { agentSession, since: 0 };
  const known = store.filesWorthTelling({ projectId: project.id, unknownTo, limit: MOST_KNOWN_FILES });
  return changedAmong(top, known, { since: now - CHANGED_WITHIN_MS });
}

function scoreOf(candidate: Candidate, scene: Scene, files: AboutFiles): number {
  return partsOf(candidate, scene, files).reduce((sum, [points]) => sum + points, 0);
}

function reasonsFor(candidate: Candidate, scene: Scene, files: AboutFiles): string[] {
  return partsOf(candidate, scene, files)
    .filter(([points]) => Math.abs(points) >= 0.1)
    .sort(([a], [b]) => Math.abs(b) - Math.abs(a))
    .map(([, reason]) => reason());
}

/** What speaks for and against it. The words are made only for those that are shown. */
function partsOf(
  candidate: Candidate,
  { branches, now }: Scene,
  files: AboutFiles,
): [number, () => string][] {
  const kind = candidate.type ?? candidate.kind;
  const days = Math.max(0, now - candidate.at) / DAY_MS;
  return [
    [candidate.pinnedAt === null ? 0 : 8, () => 'pinned'],
    [candidate.scope === 'global' ? 4 : 0, () => 'holds everywhere'],
    [KINDS[kind] ?? 0, () => kind],
    [isOfThisBranch(candidate, branches) ? 3 : 0, () => 'learnt on this branch'],
    [isOfAnotherBranch(candidate, branches) ? -4 : 0, () => `learnt on ${candidate.branch}, not merged`],
    [files.changed.has(candidate.id) ? 3 : 0, () => 'about files with uncommitted changes'],
    [files.recent.has(candidate.id) ? 2 : 0, () => 'about files of the last sessions'],
    [Math.min(2, Math.log2(Math.max(1, candidate.strength))), () => `met ${candidate.strength} times`],
    [2 * Math.exp(-days / 14), () => `of ${dayOf(candidate.at)}`],
  ];
}

function isStanding({ pinnedAt, type, scope }: Candidate): boolean {
  return pinnedAt !== null || type === 'preference' || scope === 'global';
}

function withFreshness(useful: Omit<Useful, 'freshness'>, freshness: Freshness): Useful {
  const less = { unchanged: 0, unknown: 0, changed: freshness.namesStand ? 0.3 : 1, gone: 3 }[
    freshness.state
  ];
  const words = freshnessWords(freshness);
  return {
    ...useful,
    freshness,
    score: useful.score - less,
    reasons: words ? [...useful.reasons, words] : useful.reasons,
  };
}
