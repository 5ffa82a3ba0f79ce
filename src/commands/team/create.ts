import { userInfo } from 'node:os';
import { withCairnCommand } from '../../platform/cairn-command.ts';
import { saveLogin } from '../../team/sync/login.ts';
import { enterTeam } from '../../team/sync/open-team.ts';
import { type Call, CommandError, printJson } from '../support/command.ts';
import { machineName, readAdmin, withStore } from './open.ts';

/** `cairn team create` */
export function createTeam(call: Call, source: string | undefined): Promise<number> {
  return withStore(call, async (store) => {
    if (store.getTeam())
      throw new CommandError(
        withCairnCommand('This home is in a team already. Leave it first: cairn team leave'),
      );
    const access = await readAdmin(call, source);
    const member = typeof call.options.name === 'string' ? call.options.name : userInfo().username;
    const machine = machineName(call);
    const { createTeam: create } = await import('../../team/server/create.ts');
    const { credentials, warnings } = await create(access, {
      ...{ label: member, isEncrypted: false, member, machine, keys: null },
      save: (login) => saveLogin(call, login),
    });
    await enterTeam(store, credentials, machine, call.now());
    if (call.options.json) printJson(call, { member, machine, warnings });
    for (const warning of warnings) call.err(warning);
    if (!call.options.json)
      call.out(
        withCairnCommand(
          `Made a team in ${credentials.database} on ${credentials.host}. You are ${member}, this machine is ${machine}.\nNext: cairn team share (in a project), cairn team invite <name>`,
        ),
      );
    return 0;
  });
}
