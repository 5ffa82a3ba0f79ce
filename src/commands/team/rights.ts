import { formatCount } from '../../context/words.ts';
import { readSecrets } from '../../team/crypto/team-secrets.ts';
import { TeamError } from '../../team/feed.ts';
import type { TeamCredentials } from '../../team/server/address.ts';
import { saveLogin } from '../../team/sync/login.ts';
import { findLogin } from '../../team/sync/open-team.ts';
import { confirmLoss } from '../support/ask.ts';
import { type Call, printJson } from '../support/command.ts';
import { requireArgument } from '../support/usage.ts';
import { listProjectKeys } from './invite.ts';
import { readAdmin, refreshKeys, withStore, withTeam } from './open.ts';

const NEW_KEYS = 'What is shared from now on is sealed with new keys.';
const LATER_KEYS = 'The next machine of the team that syncs makes new keys.';
const COPIES = 'What their machines have received stays there.';

/** `cairn team revoke` */
export function revokeAccess(call: Call, member: string | undefined): Promise<number> {
  const { role } = call.options;
  const name = typeof role === 'string' ? role : requireArgument(member, 'member, or --role');
  return withStore(call, async (store) => {
    if (!(await confirmLoss(call, `End the access of ${name}? ${COPIES}`))) return 1;
    const access = await readAdmin(call);
    const login = await findLogin(call, store, call.now());
    const { revokeMachine, revokeMember } = await import('../../team/server/admin.ts');
    const machines =
      typeof role === 'string'
        ? await revokeMachine(access, role).then(() => 1)
        : await revokeMember(access, name, login && readSecrets(login));
    const hasNewKeys = login?.keys ? await makeNewKeys(login) : null;
    if (call.options.json) printJson(call, { name, machines });
    else {
      call.out(`${formatCount(machines, 'machine has', 'machines have')} no access any more. ${COPIES}`);
      if (hasNewKeys !== null) call.out(hasNewKeys ? NEW_KEYS : LATER_KEYS);
    }
    return 0;
  });
}

/** @returns false if this machine has lost access itself. */
async function makeNewKeys(login: TeamCredentials): Promise<boolean> {
  try {
    await refreshKeys(login);
    return true;
  } catch (error) {
    if (error instanceof TeamError) return false;
    throw error;
  }
}

/** `cairn team rights` */
export function changeRights(call: Call, member: string | undefined): Promise<number> {
  const name = requireArgument(member, 'member');
  return withStore(call, async (store) => {
    const rights = { isReadOnly: call.options['read-only'] === true, projects: listProjectKeys(call, store) };
    const access = await readAdmin(call);
    const login = await findLogin(call, store, call.now());
    const { setRights } = await import('../../team/server/admin.ts');
    await setRights(access, name, rights, login && readSecrets(login));
    // Replaces the keys of projects that the member may no longer read.
    if (login?.keys) await makeNewKeys(login);
    const where = rights.projects === null ? 'all projects' : formatCount(rights.projects.length, 'project');
    if (call.options.json) printJson(call, { name, ...rights });
    else call.out(`${name} may ${rights.isReadOnly ? 'read' : 'read and write'} ${where} from now on.`);
    return 0;
  });
}

/** `cairn team upgrade` */
export function upgradeServer(call: Call): Promise<number> {
  return withStore(call, async () => {
    const access = await readAdmin(call);
    const { migrateTeam } = await import('../../team/server/admin.ts');
    const migrations = await migrateTeam(access);
    if (call.options.json) printJson(call, { migrations });
    else
      call.out(
        migrations.length === 0
          ? "The team's database is up to date."
          : `Upgraded the team's database (${formatCount(migrations.length, 'migration')}). Machines with an older Cairn stop syncing until they are updated.`,
      );
    return 0;
  });
}

/** `cairn team rotate` */
export function rotateLogin(call: Call): Promise<number> {
  return withTeam(call, async ({ login }) => {
    const { rotate } = await import('../../team/server/join.ts');
    const fresh = await rotate(login, (changed) => saveLogin(call, changed));
    call.out('This machine has a new password. The old one is dead.');
    if (!fresh.keys) return 0;
    await refreshKeys(fresh);
    call.out(`It has a new key pair, too. ${NEW_KEYS}`);
    return 0;
  });
}

/** `cairn team scrub` */
export function scrubServer(call: Call): Promise<number> {
  return withStore(call, async () => {
    const question =
      'Rewrite all tables of the team, so that no byte of deleted texts stays in them? Syncing waits meanwhile.';
    if (!(await confirmLoss(call, question))) return 1;
    const access = await readAdmin(call);
    const { scrub } = await import('../../team/server/admin.ts');
    await scrub(access);
    call.out('Rewritten. The write-ahead log and backups keep deleted texts until they expire.');
    return 0;
  });
}
