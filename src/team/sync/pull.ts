import { redactValue } from '../../capture/redact/redact-value.ts';
import type { Store } from '../../store/store.ts';
import { isStoreError } from '../../store/store-error.ts';
import type { AsideChange, TeamProject } from '../../store/types/team.ts';
import { type FeedChange, type FeedPosition, TeamError, type TeamFeed } from '../feed.ts';
import { applyChange } from './apply.ts';
import { collectOwnChanges } from './collect.ts';
import { equalBytes } from './digest.ts';
import { laterStamp } from './hybrid-clock.ts';
import type { TeamOptions } from './ledger.ts';
import { changeOrigin, readAgain, saveProject } from './origin.ts';
import { UnusableChange } from './payload.ts';
import { relayLostDeletions } from './relay-deletions.ts';

/** Changes per transaction, for which other writers wait. */
const CHANGES_AT_ONCE = 200;
const MOST_RETRIED = 1_000;

export interface PulledProject {
  project: TeamProject;
  /** Changes that this home did not make. */
  changes: number;
  /** Deletions of others that the server had lost and this home sends again. */
  relayed: number;
  aside: number;
}

/** Reads a project's feed to its end and applies it in batches. Applied batches stay if the next one fails. */
export async function pullProject(
  options: TeamOptions & { signal?: AbortSignal | undefined },
  feed: TeamFeed,
  start: TeamProject,
): Promise<PulledProject> {
  const pulled: PulledProject = { project: start, changes: 0, relayed: 0, aside: 0 };
  for (;;) {
    options.signal?.throwIfAborted();
    const { project } = pulled;
    const position = { seq: String(project.seq), chain: project.chain };
    const result = await feed.pull(serverIdOf(project), position, CHANGES_AT_ONCE);
    if (result.outcome === 'diverged') {
      if (project.seq === 0) throw new TeamError('server', `The feed of ${project.name} cannot be read.`);
      pulled.project = readAgain(options.store, project);
      continue;
    }
    if (result.changes.length === 0) return pulled;
    checkOrder(project, result.changes);
    const applied = applyChanges(options, project.projectId, result);
    pulled.project = applied.project;
    pulled.changes += applied.others;
    pulled.relayed += applied.relayed;
    pulled.aside += applied.aside;
    if (applied.project.seq >= Number(result.head)) return pulled;
  }
}

/** A hole must be repaired and is never skipped. */
function checkOrder({ name, seq }: TeamProject, changes: FeedChange[]): void {
  const isComplete = changes.every((change, index) => Number(change.seq) === seq + 1 + index);
  if (!isComplete) throw new TeamError('server', `The feed of ${name} has a hole after change ${seq}.`);
}

/** Collects own changes first, which gives them stamps from before these changes. */
function applyChanges(
  options: TeamOptions,
  projectId: number,
  { changes, end, head }: { changes: FeedChange[]; end: FeedPosition; head: string },
): { project: TeamProject; others: number; relayed: number; aside: number } {
  const { store, now } = options;
  return store.runInTransaction(() => {
    collectOwnChanges(options);
    const team = store.getTeam();
    let project = store.listTeamProjects().find((known) => known.projectId === projectId);
    if (!team || !project) throw new Error('The project left the team while it was read.');
    let others = 0;
    let aside = 0;
    let { hlc } = team;
    for (const change of changes) {
      hlc = laterStamp(hlc, change.hlc);
      const own = store.findOutboxChange(projectId, change.origin, change.n);
      const isOwn = own !== null && equalBytes(own.digest, change.digest);
      if (!isOwn) others++;
      if (isOwn) store.setOutboxSeq(projectId, change.origin, change.n, Number(change.seq));
      // This home's origin, but not its change.
      else if (change.origin === project.origin) project = changeOrigin(store, project);
      if (!tryToApply(store, project, change, now())) aside++;
    }
    project = { ...project, seq: Number(end.seq), chain: end.chain };
    saveProject(store, project);
    store.setTeamClock({ ...team, hlc });
    aside -= retryWaiting(store, project, now());
    // In the same transaction: after an interruption the next sync would consider the project up to date.
    const relayed = project.canWrite && end.seq === head ? relayLostDeletions(options, project) : 0;
    return { project, others, relayed, aside };
  });
}

/** A bad change is set aside and does not stop the feed. @returns false if it was set aside. */
export function tryToApply(store: Store, project: TeamProject, change: FeedChange, now: number): boolean {
  try {
    store.runInTransaction(() => {
      applyChange({ store, project, now }, change);
      // The change may have been set aside before.
      store.removeAside(project.projectId, Number(change.seq));
    });
    return true;
  } catch (error) {
    // The change is not at fault for a full disk or a busy database.
    if (isStoreError(error)) throw error;
    const { reason, message } =
      error instanceof UnusableChange ? error : { reason: 'bad' as const, message: String(error) };
    store.setAside(
      {
        ...{ projectId: project.projectId, seq: Number(change.seq), reason, at: now },
        problem: redactValue(message),
        change: formatAside(change),
      },
      change.item,
    );
    return false;
  }
}

/** Retries changes that refer to something that may have been received since. @returns how many are applied now. */
function retryWaiting(store: Store, project: TeamProject, now: number): number {
  return listAside(store, project, 'waiting').filter(({ change }) =>
    tryToApply(store, project, parseAside(change), now),
  ).length;
}

/** Retries sealed changes whose key may have been received since. @returns how many could be opened. */
export function openSealed({ store, now }: TeamOptions, feed: TeamFeed, project: TeamProject): number {
  const opened = listAside(store, project, 'sealed')
    .map(({ change }) => feed.open(serverIdOf(project), parseAside(change)))
    .filter(({ unopened }) => unopened !== 'no-key');
  if (opened.length === 0) return 0;
  return store.runInTransaction(() => {
    for (const change of opened) tryToApply(store, project, change, now());
    retryWaiting(store, project, now());
    return opened.length;
  });
}

function listAside(store: Store, { projectId }: TeamProject, wanted: AsideChange['reason']): AsideChange[] {
  return store
    .listAside(MOST_RETRIED)
    .filter((aside) => aside.reason === wanted && aside.projectId === projectId);
}

function formatAside({ digest, payload, ...rest }: FeedChange): string {
  const encode = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');
  return JSON.stringify({ ...rest, digest: encode(digest), payload: payload && encode(payload) });
}

export function parseAside(text: string): FeedChange {
  const { digest, payload, ...rest } = JSON.parse(text);
  return {
    ...rest,
    digest: Buffer.from(digest, 'base64'),
    payload: payload && Buffer.from(payload, 'base64'),
  };
}

export function serverIdOf({ serverId, name }: TeamProject): number {
  if (serverId === null) throw new TeamError('access', `The server has no project ${name} for this machine.`);
  return serverId;
}
