import { readEmbedderAccess } from '../../config/environment.ts';
import { findByPath } from '../../context/file-history.ts';
import { presentMoments } from '../../context/present-moments.ts';
import type { ReliabilityOf } from '../../context/reliability.ts';
import { searchMemory } from '../../context/search-memory.ts';
import { readStory } from '../../context/story.ts';
import { findTimeline } from '../../context/timeline.ts';
import { cleanText } from '../../curation/clean-text.ts';
import { embedQuery } from '../../indexing/embed-query.ts';
import { updateIndex } from '../../indexing/update-index.ts';
import { askFolder } from '../../platform/folder-answers.ts';
import { findCheckout } from '../../platform/git/checkout.ts';
import { findNameProblem } from '../../recall/check-names.ts';
import { findQueryProblem } from '../../recall/check-query.ts';
import { parseQuery } from '../../recall/parse-query.ts';
import type { Store } from '../../store/store.ts';
import type { MemoryFilter } from '../../store/types/browse.ts';
import type { StoredMemory } from '../../store/types/memory.ts';
import { readMemorySharing } from '../../team/sync/share.ts';
import { SEARCHED_IN_VIEWER } from '../latency.ts';
import { Problem } from '../problem.ts';
import type { Handlers } from '../route.ts';
import type { memoryRoutes } from '../routes/memories.ts';
import { isTrue, nextCursor, parseCursor } from '../schemas/basics.ts';

const EMBEDDING_MS = 2_000;
const FOLDER_MS = 250;
const INDEXING_MS = 100;

/** Lists skip the comparison with files: it would read every file, and a folder may not answer. */
const UNCHECKED: ReliabilityOf = () => ({ marks: [], weight: 1 });

type ReadRoutes = Omit<typeof memoryRoutes, 'listInjections' | 'getInjection'>;

export const memoryHandlers: Handlers<ReadRoutes> = {
  listMemories({ query: { limit, cursor, ...filter } }, { store }) {
    const memories = store.listMemories(toFilter(filter), limit, parseCursor(cursor));
    return { memories, next: nextCursor(memories, limit) };
  },
  async getMemory({ params }, { store }) {
    const memory = requireMemory(store, params.id);
    const story = readStory(store, memory, await findTop(store, memory));
    return { ...story, sharing: readMemorySharing(store, memory) };
  },
  async search({ query }, call) {
    const { store, paths, settings, now, log } = call;
    const began = now();
    if (query.typing === 'true') await takeTurn();
    if (call.isGone()) throw new Problem(499, 'The client hung up before the search began.');
    const parsed = parseQuery(query.q, now());
    const problem = findQueryProblem(query.q, now()) ?? findNameProblem(parsed, store);
    if (problem !== null) throw new Problem(400, problem);
    updateIndex(store, { until: now() + INDEXING_MS, now });
    const { vector, trouble } = await embedQuery(parsed.words, store.getVectorIndex(), {
      ...{ paths, settings, now, access: readEmbedderAccess, mostMs: EMBEDDING_MS },
      clean: (text) => cleanText(call, text),
    });
    const request = {
      text: query.q,
      projectId: query.project ?? null,
      reach: query.project === undefined ? ('all' as const) : ('project' as const),
      ...(query.kind && { kinds: [query.kind] }),
      ...(vector && { vector }),
      limit: query.limit,
      now: now(),
    };
    const { hits, ...found } = searchMemory(store, request, UNCHECKED, {
      isTyping: query.typing === 'true',
    });
    log.info(SEARCHED_IN_VIEWER, { ms: now() - began });
    return { hits, ...found, notice: trouble ?? null, pendingDocuments: store.countPendingDocs() };
  },
  getTimeline({ query: { around, project = null, before, after } }, { store, now }) {
    const moments = findTimeline(store, { around, before, after, projectId: project, now: now() });
    if ('problem' in moments) throw new Problem(400, moments.problem);
    return { entries: presentMoments(store, moments, UNCHECKED) };
  },
  listFileMemories: ({ query: { path, project = null, limit } }, { store }) => ({
    memories: findByPath(store, { path, projectId: project, limit }),
  }),
};

let turns = Promise.resolve();

/**
 * Runs one search per round of the event loop. Only between searches does node notice that the page has hung up on all
 * but the latest, so a burst of key presses costs two searches. Uses a timer, because immediates run before the
 * sockets are read again.
 */
function takeTurn(): Promise<void> {
  turns = turns.then(() => new Promise((resolve) => setTimeout(resolve, 0)));
  return turns;
}

export function requireMemory(store: Store, id: number): StoredMemory {
  const memory = store.getMemory(id);
  if (!memory) throw new Problem(404, `There is no memory ${id}.`);
  return memory;
}

interface FilterQuery {
  project?: number | undefined;
  session?: number | undefined;
  turn?: number | undefined;
  pinned?: 'true' | 'false' | undefined;
  superseded?: 'true' | 'false' | undefined;
}

export function toFilter({
  project,
  session,
  turn,
  pinned,
  superseded,
  ...same
}: FilterQuery & Pick<MemoryFilter, 'agent' | 'kind' | 'type' | 'since' | 'before'>): MemoryFilter {
  return {
    ...same,
    ...{ projectId: project, sessionId: session, turnId: turn },
    ...{ isPinned: isTrue(pinned), isSuperseded: isTrue(superseded) },
  };
}

/** The folder in which the project was last worked in; null if it does not answer. */
async function findTop(store: Store, { projectId, pins }: StoredMemory): Promise<string | null> {
  if (projectId === null || pins.length === 0) return null;
  const folder = store.findProjectFolder(projectId);
  if (folder === null || !(await askFolder(folder, FOLDER_MS))) return null;
  return findCheckout(folder)?.top ?? folder;
}
