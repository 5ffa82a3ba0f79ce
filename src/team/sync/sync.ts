import { redactValue } from '../../capture/redact/redact-value.ts';
import type { CurationOptions } from '../../curation/options.ts';
import type { Place } from '../../model/project.ts';
import type { Redacted } from '../../model/redacted.ts';
import { describeError } from '../../platform/log.ts';
import { type Heads, TeamError, type TeamFeed } from '../feed.ts';
import { claimHandoffs } from './claim-handoffs.ts';
import { collectOwnChanges } from './collect.ts';
import { equalBytes } from './digest.ts';
import { forgetDeadItems } from './forget-dead.ts';
import { type LinkedProject, linkProjects } from './link-projects.ts';
import { findRoots } from './machine-paths.ts';
import { correctClock, readAgain, saveProject } from './origin.ts';
import { openSealed, type PulledProject, pullProject } from './pull.ts';
import { pushProject, requireTeamProject } from './push.ts';

/** A smaller difference may come from a slow connection. */
const CLOCK_SLACK_MS = 30_000;

export interface SyncOptions extends CurationOptions {
  signal?: AbortSignal;
  /** In a home that was created for the team: shares every project of the team that has a checkout here. */
  sharesAll?: boolean;
  roots?: ReadonlySet<string>;
  here?: Redacted<Place>;
}

export interface SyncResult {
  pulled: number;
  pushed: number;
  forgotten: number;
  /** Deletions of others that the server had lost and this home sends again. */
  relayed: number;
  /** Changes that could not be applied. */
  aside: number;
  /** The first problem. Projects without one were exchanged. */
  problem: { reason: string; message: string } | null;
}

/**
 * Exchanges everything with the team: reads each project's feed, applies it, sends local changes, and confirms. It can
 * be interrupted at any point; the next call continues from there.
 */
export async function syncTeam(request: SyncOptions, feed: TeamFeed): Promise<SyncResult> {
  const options = { ...request, roots: request.roots ?? findRoots() };
  const { store, now, log } = options;
  const result: SyncResult = { pulled: 0, pushed: 0, forgotten: 0, relayed: 0, aside: 0, problem: null };
  try {
    collectOwnChanges(options);
    const heads = await feed.listHeads();
    checkTeam(options, heads);
    if (heads.keyProblem) result.problem = { reason: 'keys', message: heads.keyProblem };
    setClock(options, heads);
    checkEpoch(options, heads);
    const linkOptions = { now: now(), sharesAll: options.sharesAll ?? false, here: options.here };
    for (const linked of await linkProjects(store, feed, heads, linkOptions)) {
      try {
        await syncProject(options, feed, linked, result);
      } catch (error) {
        if (options.signal?.aborted || endsEverything(error)) throw error;
        // Continue with the other projects.
        log.warn('project not synced', { project: linked.project.name, cause: describeError(error) });
        result.problem ??= describeProblem(error);
      }
    }
  } catch (error) {
    if (!options.signal?.aborted && !(error instanceof TeamError)) throw error;
    result.problem = describeProblem(error);
  }
  result.forgotten += forgetDeadItems(options);
  const problem = result.problem && { ...redactValue(result.problem), at: now() };
  store.setTeamProblem(problem, now());
  return result;
}

async function syncProject(
  options: SyncOptions & { roots: ReadonlySet<string> },
  feed: TeamFeed,
  { project, head }: LinkedProject,
  result: SyncResult,
): Promise<void> {
  const { store } = options;
  const count = ({ changes, relayed, aside }: PulledProject) => {
    result.pulled += changes;
    result.relayed += relayed;
    result.aside += aside;
  };
  // If nothing is new, the heads are the only request. A restored server may have the same number of other changes.
  const isCurrent = Number(head.head) === project.seq && equalBytes(head.chain, project.chain);
  if (!isCurrent) count(await pullProject(options, feed, project));
  result.pulled += openSealed(options, feed, project);
  store.resendUnseen(project.projectId);
  if (project.canWrite) {
    const pushed = await pushProject(options, feed, project.projectId);
    result.pushed += pushed;
    // Own changes have numbers in the feed now.
    if (pushed > 0) count(await pullProject(options, feed, requireTeamProject(store, project.projectId)));
  }
  result.forgotten += forgetDeadItems(options);
  await claimHandoffs(options, feed, requireTeamProject(store, project.projectId));
  const current = requireTeamProject(store, project.projectId);
  if (current.seq === current.confirmed || current.serverId === null) return;
  await feed.confirm(current.serverId, String(current.seq));
  saveProject(store, { ...current, confirmed: current.seq });
}

function checkTeam({ store }: SyncOptions, heads: Heads): void {
  const team = store.getTeam();
  if (!team) throw new TeamError('access', 'This home is in no team.');
  if (team.team !== heads.team)
    throw new TeamError(
      'not-a-team',
      'The server has another team now. Nothing was sent. Leave and join again.',
    );
  if (team.isEncrypted !== heads.isEncrypted)
    throw new TeamError(
      'not-a-team',
      team.isEncrypted
        ? 'The server says that the team is no longer encrypted. Nothing was sent. Ask the administrator.'
        : 'The team is encrypted, and this machine has no keys. Nothing was sent. Leave and join again.',
    );
}

/** If the server was restored or moved, every feed is read again. */
function checkEpoch({ store }: SyncOptions, { epoch }: Heads): void {
  const team = store.getTeam();
  if (!team || team.epoch === epoch) return;
  store.runInTransaction(() => {
    if (team.epoch !== '') for (const project of store.listTeamProjects()) readAgain(store, project);
    store.setTeamEpoch(epoch);
  });
}

function setClock({ store, now }: SyncOptions, heads: Heads): void {
  const team = store.getTeam();
  const difference = heads.now - now();
  const offset = Math.abs(difference) > CLOCK_SLACK_MS ? difference : 0;
  if (!team || Math.abs(offset - team.clockOffset) <= CLOCK_SLACK_MS) return;
  correctClock(store, heads.now, now());
  const { hlc } = store.getTeam() ?? team;
  store.setTeamClock({ hlc, clockOffset: offset });
}

/** Whether the error affects all projects, such as a lost connection or login. */
function endsEverything(error: unknown): boolean {
  return !(error instanceof TeamError) || !['server', 'forbidden', 'keys'].includes(error.reason);
}

function describeProblem(error: unknown): { reason: string; message: string } {
  const reason = error instanceof TeamError ? error.reason : 'stopped';
  return { reason, message: error instanceof Error ? error.message : String(error) };
}
