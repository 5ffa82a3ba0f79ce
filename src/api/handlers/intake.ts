import { randomUUID } from 'node:crypto';
import { drain } from '../../capture/drain.ts';
import { isPaused } from '../../capture/pauses.ts';
import { redactValue } from '../../capture/redact/redact-value.ts';
import { writeSpoolFile } from '../../capture/spool.ts';
import type { SessionDigest } from '../../store/types/session.ts';
import type { ApiCall } from '../options.ts';
import { Problem } from '../problem.ts';
import type { Handlers } from '../route.ts';
import type { sessionChangeRoutes } from '../routes/sessions.ts';
import { requireProject } from './projects.ts';
import { requireSession } from './sessions.ts';

type IntakeRoutes = Pick<typeof sessionChangeRoutes, 'openSession' | 'addEvents' | 'endSession'>;

const AGENT = 'raw';
const INTAKE_LOCK_MS = 1_000;

/** Events go through spool and intake like those of hooks. Their folder comes from the store, not from a request. */
export const intakeHandlers: Handlers<IntakeRoutes> = {
  openSession({ body: { project, session: name = randomUUID(), source, model } }, call) {
    const { store } = call;
    const stored = redactValue(name);
    requireProject(store, project);
    const folder = store.findProjectFolder(project);
    if (folder === null) throw new Problem(409, `No session has worked in project ${project} yet.`);
    if (store.findSessionOfAgent(AGENT, stored)) throw new Problem(409, `Session ${name} exists already.`);
    handIn(call, { session: name, folder }, [{ event: 'session-start', source, model }]);
    ingest(call);
    const session = store.findSessionOfAgent(AGENT, stored);
    if (!session) throw new Problem(503, 'The session is in the spool and will be opened soon.');
    return { session };
  },
  addEvents({ params: { id }, body: { events } }, call) {
    const session = requireOpenSession(call, id);
    handIn(call, placeOf(call, session), events);
    call.wakeWorker();
    return { accepted: events.length };
  },
  endSession({ params: { id }, body: { reason } }, call) {
    const session = requireOpenSession(call, id);
    handIn(call, placeOf(call, session), [{ event: 'session-end', reason }]);
    ingest(call);
    call.wakeWorker();
    return { session: requireSession(call.store, id) };
  },
};

interface SessionPlace {
  session: string;
  folder: string;
}

function handIn(
  { paths }: ApiCall,
  { session, folder }: SessionPlace,
  events: { event: string; [field: string]: unknown }[],
): void {
  if (isPaused(paths, folder, session))
    throw new Problem(409, 'Capture is paused. Nothing was stored. Continue: cairn unpause');
  for (const { event, ...fields } of events)
    writeSpoolFile(
      paths,
      { agent: AGENT, hook: event, via: 'api' },
      session,
      Buffer.from(JSON.stringify({ ...fields, event, session, cwd: folder })),
    );
}

/** Events that cannot be ingested now stay in the spool. */
function ingest({ paths, settings, log, now, store }: ApiCall): void {
  drain({ paths, settings, log, now, store, lockMs: INTAKE_LOCK_MS });
}

/** Sessions of other agents are refused: those agents report through hooks. */
function requireOpenSession({ store }: ApiCall, id: number): SessionDigest {
  const session = requireSession(store, id);
  if (session.agent !== AGENT) throw new Problem(409, `Session ${id} belongs to ${session.agent}.`);
  if (session.endedAt !== null) throw new Problem(409, `Session ${id} has ended.`);
  return session;
}

function placeOf({ store }: ApiCall, { projectId, agentSession, id }: SessionDigest): SessionPlace {
  const folder = projectId === null ? null : store.findProjectFolder(projectId);
  if (folder === null) throw new Problem(409, `The folder of session ${id} is unknown.`);
  return { session: agentSession, folder };
}
