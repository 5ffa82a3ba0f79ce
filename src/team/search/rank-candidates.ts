import type { IndexEntry } from '../../context/present-entry.ts';
import { type HitStore, type PresentedHit, presentHits } from '../../context/present-hits.ts';
import type { ReliabilityOf } from '../../context/reliability.ts';
import { formatReference } from '../../model/reference.ts';
import { createListStore } from '../../recall/list-store.ts';
import { recallAndCount } from '../../recall/recall.ts';
import type { RecallRequest } from '../../recall/request.ts';
import type { Store } from '../../store/store.ts';
import type { StoredMemory } from '../../store/types/memory.ts';
import { hashToken } from '../sync/token-hash.ts';
import type { TeamCandidates } from './fetch-candidates.ts';
import { toListed } from './stored-form.ts';
import { formatTeamId } from './team-id.ts';
import type { TeamMemory } from './team-memory.ts';

export interface TeamHit extends Omit<PresentedHit, 'memory'> {
  memory: TeamMemoryText;
  item: string;
  /** Null if this home made it. */
  from: string | null;
  /** The memory's number here; null if it was not pulled. */
  localId: number | null;
}

/** The content of a memory without numbers of this machine. */
export type TeamMemoryText = Omit<StoredMemory, 'id' | 'projectId' | 'supersededBy'>;

export interface TeamHits {
  hits: TeamHit[];
  /** Further hits that are not weaker, beyond the limit. */
  more: number;
}

export type LocalItems = Pick<Store, 'getTeamItem' | 'listTeamProjects' | 'listGoneItems'>;

const MOST_GONE = 1_000;

/** Ranks the server's candidates with the code for local memories. Memories forgotten here are left out. */
export function rankCandidates(
  local: LocalItems,
  candidates: TeamCandidates,
  request: Omit<RecallRequest, 'reach'>,
  reliabilityOf: ReliabilityOf,
): TeamHits {
  const gone = new Set(local.listGoneItems(MOST_GONE).map(({ item }) => item));
  const memories = candidates.memories.filter(
    ({ item }) => !gone.has(item) && local.getTeamItem(item)?.isDead !== true,
  );
  const listed = listMemories(local, candidates, memories);
  const lists = createListStore(listed, {
    docs: Math.max(candidates.changes, memories.length),
    countTerm: (term) => candidates.frequencies.get(hashToken(term)),
  });
  const stored = new Map(listed.map(({ memory }) => [memory.id, memory]));
  const store: HitStore = {
    ...lists,
    getMemories: (ids) => ids.flatMap((id) => stored.get(id) ?? []),
    getPrompts: () => [],
    // The numbers are valid in this search only.
    listReplaced: () => [],
  };
  const { hits, more } = recallAndCount(lists, { ...request, reach: 'all' });
  const found = presentHits(store, hits, reliabilityOf, request).flatMap((hit) => {
    const { memory } = hit;
    const team = memory === null ? undefined : memories[memory.id - 1];
    return memory && team
      ? [{ ...nameHit(local, hit.entry, team, memories), ...scoreOf(hit), memory: textOf(memory) }]
      : [];
  });
  return { hits: found, more };
}

/** Numbers the memories from 1. Projects that exist here keep their number, others get a negative one. */
function listMemories(local: LocalItems, { projects }: TeamCandidates, memories: TeamMemory[]) {
  const idOf = new Map(memories.map(({ item }, index) => [item, index + 1]));
  const here = new Map(local.listTeamProjects().map(({ key, projectId }) => [key, projectId]));
  const nameOf = new Map(projects.map((project) => [project.id, project]));
  const circular = findCircular(memories);
  return memories.map((memory, index) => {
    const project = nameOf.get(memory.project);
    const by = memory.supersededBy;
    return toListed(memory, {
      id: index + 1,
      project: project?.name ?? '',
      author: findMaker(local, memory),
      projectId: here.get(project?.key ?? '') ?? -memory.project,
      supersededBy: by === null || circular.has(memory.item) ? null : (idOf.get(by) ?? null),
    });
  });
}

/** Memories that replace each other, because two members did so at the same time. Both are shown. */
function findCircular(memories: TeamMemory[]): Set<string> {
  const byOf = new Map(memories.map(({ item, supersededBy }) => [item, supersededBy]));
  return new Set(
    memories
      .map(({ item }) => item)
      .filter((item) => {
        let next = byOf.get(item) ?? null;
        for (let hop = 0; hop < byOf.size && next !== null && next !== item; hop++)
          next = byOf.get(next) ?? null;
        return next === item;
      }),
  );
}

function scoreOf({ score, isWeaker }: PresentedHit) {
  return { score, isWeaker };
}

function textOf({ id: _, projectId: _p, supersededBy: _s, ...text }: StoredMemory): TeamMemoryText {
  return text;
}

/** Null for this home. The server knows only the author of the last text, this home also that of the first. */
function findMaker(local: LocalItems, { item, author }: TeamMemory): string | null {
  const known = local.getTeamItem(item);
  return known?.rowId == null ? author : known.author;
}

function nameHit(local: LocalItems, entry: IndexEntry, team: TeamMemory, memories: TeamMemory[]) {
  const nameOf = (item: string) => {
    const id = local.getTeamItem(item)?.rowId ?? null;
    return id === null ? formatTeamId(item) : formatReference({ what: 'memory', id });
  };
  const known = local.getTeamItem(team.item);
  const localId = known?.rowId ?? null;
  // Marks refer to numbers of this search.
  const marks = entry.marks.map((mark) =>
    mark.replace(/^(resolves|resolved by|replaced by) #(\d+)$/, (whole, relation, id) => {
      const other = memories[Number(id) - 1];
      return other ? `${relation} ${nameOf(other.item)}` : whole;
    }),
  );
  return {
    entry: {
      ...entry,
      id: nameOf(team.item),
      marks: [...marks, ...(localId === null ? ['not pulled'] : [])],
    },
    ...{ item: team.item, from: findMaker(local, team), localId },
  };
}
