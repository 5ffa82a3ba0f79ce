import { withCairnCommand } from '../../platform/cairn-command.ts';
import { saveLogin } from '../../team/sync/login.ts';
import { enterTeam } from '../../team/sync/open-team.ts';
import { syncTeam } from '../../team/sync/sync.ts';
import { type Call, CommandError, printJson } from '../support/command.ts';
import { readSecret } from '../support/secret.ts';
import { machineName, syncOptions, withStore } from './open.ts';
import { describeSync } from './sync.ts';

/** `cairn team join` */
export function joinTeam(call: Call, source: string | undefined): Promise<number> {
  return withStore(call, async (store) => {
    if (store.getTeam())
      throw new CommandError(
        withCairnCommand('This home is in a team already. Leave it first: cairn team leave'),
      );
    const link = await readSecret(source, { what: 'link', form: /^cairn-team-/ });
    const machine = machineName(call);
    const { join } = await import('../../team/server/join.ts');
    const login = await join(link, { machine, save: (fresh) => saveLogin(call, fresh) });
    const { member } = await enterTeam(store, login, machine, call.now());
    const { openFeed } = await import('../../team/server/feed.ts');
    const feed = openFeed(login);
    try {
      const result = await syncTeam(syncOptions(call, store), feed);
      if (call.options.json) printJson(call, { member, machine, ...result });
      else {
        call.out(
          withCairnCommand(
            `Joined as ${member}, this machine is ${machine}. ${describeSync(result)}\nShare what you remember in a project: cairn team share`,
          ),
        );
        // Joining has succeeded even if the first sync fails.
        if (result.problem) call.err(result.problem.message);
      }
    } finally {
      await feed.close();
    }
    return 0;
  });
}
