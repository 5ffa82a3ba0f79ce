import { listDecisions } from '../../context/work/work-item-details.ts';
import type { Store } from '../../store/store.ts';
import { Problem } from '../problem.ts';
import type { Handlers } from '../route.ts';
import type { sessionRoutes } from '../routes/sessions.ts';
import { isTrue, nextCursor, parseCursor } from '../schemas/basics.ts';
import { describeProject } from './projects.ts';

const MOST_HANDOFFS = 50;

export const sessionHandlers: Handlers<typeof sessionRoutes> = {
  listProjects: (_, call) => ({
    projects: call.store.listProjects().map((project) => describeProject(call, project)),
  }),
  listSessions({ query: { project, agent, open, limit, cursor } }, { store }) {
    const filter = { projectId: project, agent, isOpen: isTrue(open) };
    const sessions = store.listSessions(filter, limit, parseCursor(cursor));
    const rows = sessions.map(({ id, lastSeen }) => ({ id, at: lastSeen }));
    return { sessions, next: nextCursor(rows, limit) };
  },
  getSession({ params: { id } }, { store }) {
    const session = requireSession(store, id);
    return { session, turns: store.listTurns(id), ...store.findNeighbours(session) };
  },
  getTurn: ({ params: { id } }, { store }) => ({ turn: requireTurn(store, id) }),
  listEvents({ params: { id }, query: { after, limit } }, { store }) {
    requireTurn(store, id);
    const events = store.listEventsOfTurn(id, after, limit);
    return { events, next: events.length === limit ? (events.at(-1)?.id ?? null) : null };
  },
  getEvent({ params: { id } }, { store }) {
    const event = store.getEvent(id);
    if (!event) throw new Problem(404, `There is no event ${id}.`);
    return { event };
  },
  listWorkItems: ({ query: { project, closed, limit } }, { store }) => ({
    workItems: store.listWorkItems({
      ...(project !== undefined && { projectId: project }),
      withClosed: closed === 'true',
      limit,
    }),
  }),
  getWorkItem({ params: { id } }, { store }) {
    const workItem = store.getWorkItem(id);
    if (!workItem) throw new Problem(404, `There is no work item ${id}.`);
    return {
      workItem,
      decisions: listDecisions(store, workItem),
      plans: store.listPlans(id),
      tasks: store.listTasks(id),
      handoffs: store.listHandoffs({ workId: id, limit: MOST_HANDOFFS }),
      notes: store.listWorkNotes(id),
      sessions: store.listWorkItemSessions(id),
    };
  },
};

function requireTurn(store: Store, id: number) {
  const turn = store.getTurn(id);
  if (!turn) throw new Problem(404, `There is no turn ${id}.`);
  return turn;
}

export function requireSession(store: Store, id: number) {
  const session = store.getSession(id);
  if (!session) throw new Problem(404, `There is no session ${id}.`);
  return session;
}
