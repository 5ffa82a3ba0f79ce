import { TeamError, type TeamFeed } from '../../team/feed.ts';
import { openTeam } from '../../team/sync/open-team.ts';
import type { ToolContext } from './tool.ts';
import { ToolError } from './tool-error.ts';

/** Asks the team's server. @throws ToolError without a team, or if the server does not answer. */
export async function askTeam<T>(call: ToolContext, ask: (feed: TeamFeed) => Promise<T>): Promise<T> {
  const { store, now } = call;
  try {
    const feed = await openTeam(call, store, now());
    if (!feed) throw new ToolError('This machine is in no team. Search without team.');
    try {
      return await ask(feed);
    } finally {
      // Not awaited: a server that does not answer would not answer the close either.
      void feed.close();
    }
  } catch (error) {
    if (!(error instanceof TeamError)) throw error;
    throw new ToolError(`${error.message} Search without team: what this machine has.`);
  }
}
