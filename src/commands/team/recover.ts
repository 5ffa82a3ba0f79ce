import { formatCount } from '../../context/words.ts';
import { withCairnCommand } from '../../platform/cairn-command.ts';
import { readRecoveryCode } from '../../team/crypto/recovery-code.ts';
import { saveLogin } from '../../team/sync/login.ts';
import { enterTeam } from '../../team/sync/open-team.ts';
import { type Call, CommandError, printJson } from '../support/command.ts';
import { readSecret } from '../support/secret.ts';
import { machineName, readAdmin, withStore } from './open.ts';

/** `cairn team recover` */
export function recoverTeam(call: Call, source: string | undefined): Promise<number> {
  return withStore(call, async (store) => {
    if (store.getTeam())
      throw new CommandError(
        withCairnCommand('This home is in a team already. Leave it first: cairn team leave'),
      );
    const { code } = call.options;
    const text = await readSecret(typeof code === 'string' ? code : undefined, {
      what: 'recovery code',
      form: /^(?:\w{4}-){7}\w{4}$/,
    });
    const secret = readRecoveryCode(text);
    if (!secret) throw new CommandError('Not a recovery code, or it has a typing error.');
    const access = await readAdmin(call, source);
    const machine = machineName(call);
    const { recover } = await import('../../team/server/recover.ts');
    const { credentials, keys } = await recover(access, secret, {
      machine,
      save: (login) => saveLogin(call, login),
    });
    const { member } = await enterTeam(store, credentials, machine, call.now());
    if (call.options.json) printJson(call, { member, machine, keys });
    else
      call.out(
        withCairnCommand(
          `Joined as ${member}, this machine is ${machine}. The code opened ${formatCount(keys, 'key')}.\nEnd the access of machines that were lost: cairn team machines, cairn team revoke --role <machine>`,
        ),
      );
    return 0;
  });
}
