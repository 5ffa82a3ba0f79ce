import { userInfo } from 'node:os';
import { withCairnCommand } from '../../platform/cairn-command.ts';
import { makeDeviceKey } from '../../team/crypto/device-key.ts';
import { makeRecoveryCode } from '../../team/crypto/recovery-code.ts';
import { makeKey } from '../../team/crypto/sealed-key.ts';
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
    const recovery = call.options.encrypted ? makeRecoveryCode() : null;
    const keys = recovery && { teamKey: makeKey(), device: makeDeviceKey(), recovery: recovery.secret };
    const { createTeam: create } = await import('../../team/server/create.ts');
    const { credentials, warnings } = await create(access, {
      ...{ label: member, member, machine, keys },
      save: (login) => saveLogin(call, login),
    });
    await enterTeam(store, credentials, machine, call.now());
    if (call.options.json)
      printJson(call, { member, machine, warnings, recoveryCode: recovery?.text ?? null });
    for (const warning of warnings) call.err(warning);
    if (call.options.json) return 0;
    const kind = recovery ? 'an encrypted team' : 'a team';
    call.out(
      `Made ${kind} in ${credentials.database} on ${credentials.host}. You are ${member}, this machine is ${machine}.`,
    );
    if (recovery)
      call.out(
        withCairnCommand(
          `Recovery code: ${recovery.text}\nWrite it down and keep it away from the server. It is not shown again. If all machines of the team are lost, only it opens what the team has: cairn team recover`,
        ),
      );
    call.out(withCairnCommand('Next: cairn team share (in a project), cairn team invite <name>'));
    return 0;
  });
}
