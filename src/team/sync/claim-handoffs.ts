import { changeMode } from '../../continuity/work-items/work-items.ts';
import type { TeamProject } from '../../store/types/team.ts';
import { TeamError, type TeamFeed } from '../feed.ts';
import { newId, type TeamOptions } from './ledger.ts';
import { serverIdOf } from './pull.ts';

/**
 * Claims handoffs that colleagues sent to this member. The first of the member's machines that asks gets a handoff and
 * gives it to its next session. The server decides, so no handoff is given twice.
 */
export async function claimHandoffs(
  options: TeamOptions,
  feed: TeamFeed,
  project: TeamProject,
): Promise<void> {
  const { store, log, now } = options;
  for (const { handoff, item } of store.listSentHandoffs(project.projectId)) {
    const isOurs = await claim(feed, serverIdOf(project), item);
    if (!isOurs) continue;
    store.runInTransaction(() => {
      const work = store.getWorkItem(handoff.workId);
      if (!work || !store.setHandoffState(handoff.id, 'staged', now())) return;
      changeMode(store, work, 'handed off', { at: now(), log });
    });
  }
}

async function claim(feed: TeamFeed, project: number, item: string): Promise<boolean> {
  try {
    return (await feed.claim(project, item)).outcome === 'claimed';
  } catch (error) {
    // A member who may only read cannot claim handoffs.
    if (error instanceof TeamError && error.reason === 'forbidden') return false;
    throw error;
  }
}

/** Shares a work item handed to a colleague with all its parts, even if it is older than the sharing of its project. */
export function shareWorkItem({ store }: TeamOptions, workId: number): boolean {
  return store.runInTransaction(() => {
    const work = store.getWorkItem(workId);
    const project = store.listTeamProjects().find(({ projectId }) => projectId === work?.projectId);
    if (!work || !project?.isShared || !project.canWrite) return false;
    if (!store.findTeamItem('work-item', workId)) {
      const item = { item: newId(), projectId: project.projectId, author: null, isDead: false };
      store.saveTeamItem({ ...item, what: 'work-item', rowId: workId });
    }
    store.markRow('work-item', workId);
    store.markParts(workId);
    return true;
  });
}
