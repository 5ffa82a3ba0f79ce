import { readGivenText } from '../../context/given-context.ts';
import type { Store } from '../../store/store.ts';
import type { GivenContext } from '../../store/types/injection.ts';
import { Problem } from '../problem.ts';
import type { Handlers } from '../route.ts';
import type { memoryRoutes } from '../routes/memories.ts';
import { nextCursor, parseCursor } from '../schemas/basics.ts';

type InjectionRoutes = Pick<typeof memoryRoutes, 'listInjections' | 'getInjection'>;

export const injectionHandlers: Handlers<InjectionRoutes> = {
  listInjections({ query: { session, memory, source, limit, cursor } }, { store }) {
    const filter = { agentSession: session, memoryId: memory, source };
    const contexts = store.listGivenContexts(filter, limit, parseCursor(cursor));
    const titles = readTitles(store, contexts);
    return {
      injections: contexts.map((context) => describe(store, context, titles)),
      next: nextCursor(contexts, limit),
    };
  },
  getInjection({ params: { id } }, { store }) {
    const context = store.getGivenContext(id);
    if (!context) throw new Problem(404, `There is no injection ${id}.`);
    const titles = readTitles(store, [context]);
    const leftOut = context.leftOut.map((memory) => ({
      ...memory,
      ...(titles.get(memory.memoryId) ?? UNKNOWN),
    }));
    return {
      injection: { ...describe(store, context, titles), text: readGivenText(context), leftOut },
      before: store.findGivenBefore(context),
    };
  },
};

/** For a memory that was forgotten since. */
const UNKNOWN = { title: null, type: null };

type Titles = Map<number, { title: string; type: string }>;

function describe(store: Store, { text, leftOut: _, shown, ...context }: GivenContext, titles: Titles) {
  const session = store.findSessionOfAgent(context.agent, context.agentSession);
  return {
    ...context,
    sessionId: session?.id ?? null,
    project: session?.project ?? null,
    isForgotten: readGivenText({ text }) === null,
    shown: shown.map((memory) => ({ ...memory, ...(titles.get(memory.memoryId) ?? UNKNOWN) })),
  };
}

/** The current titles. */
function readTitles(store: Store, contexts: GivenContext[]): Titles {
  const ids = contexts.flatMap(({ shown, leftOut }) =>
    [...shown, ...leftOut].map(({ memoryId }) => memoryId),
  );
  return new Map(
    store
      .getMemories([...new Set(ids)])
      .map(({ id, title, type, kind }) => [id, { title, type: type ?? kind }]),
  );
}
