import { withCairnCommand } from '../../platform/cairn-command.ts';
import { TeamError } from '../../team/feed.ts';
import { shareWorkItem } from '../../team/sync/claim-handoffs.ts';
import { findRoots } from '../../team/sync/machine-paths.ts';
import { findLogin } from '../../team/sync/open-team.ts';
import { syncTeam } from '../../team/sync/sync.ts';
import { type Call, CommandError } from '../support/command.ts';
import { syncOptions, withStore } from './open.ts';

/** Checks before saving that the member exists. @returns the name in the team's spelling. */
export function findMember(call: Call, name: string): Promise<string> {
  return withStore(call, async (store) => {
    const login = await findLogin(call, store, call.now());
    if (!login) throw new CommandError(withCairnCommand('This home is in no team. See: cairn team'));
    const { listMembers } = await import('../../team/server/people.ts');
    try {
      const members = (await listMembers(login)).filter(({ revokedAt }) => revokedAt === null);
      const found = members.find((member) => member.name.toLowerCase() === name.toLowerCase());
      if (found) return found.name;
      const others = members.filter(({ isMe }) => !isMe).map((member) => member.name);
      throw new CommandError(`There is no member ${name}. Members: ${others.join(', ') || 'only you'}.`);
    } catch (error) {
      // Without the server, the name is checked when the handoff is sent.
      if (error instanceof TeamError) return name;
      throw error;
    }
  });
}

/** Sends the work item and its handoff now if the server can be reached. */
export function sendHandoff(call: Call, { workId, to }: { workId: number; to: string }): Promise<void> {
  return withStore(call, async (store) => {
    const options = { ...syncOptions(call, store), roots: findRoots() };
    if (!shareWorkItem(options, workId))
      throw new CommandError(
        withCairnCommand('This project is not shared. Share it first: cairn team share'),
      );
    const login = await findLogin(call, store, call.now());
    if (!login) return;
    const { openFeed } = await import('../../team/server/feed.ts');
    const feed = openFeed(login);
    try {
      const { problem } = await syncTeam(options, feed);
      if (problem)
        call.err(
          `${problem.message} ${to} cannot claim the handoff before the server has it; it is sent as soon as possible.`,
        );
    } finally {
      await feed.close();
    }
  });
}
