import { withCairnCommand } from '../../platform/cairn-command.ts';
import type { Store } from '../../store/store.ts';
import { readSecrets } from '../../team/crypto/team-secrets.ts';
import { findLogin, LASTING } from '../../team/sync/open-team.ts';
import { type Call, CommandError, printJson, UsageError } from '../support/command.ts';
import { listOption } from '../support/curation.ts';
import { requireArgument } from '../support/usage.ts';
import { readAdmin, refreshKeys, withStore } from './open.ts';

/** PgBouncer's default. */
const POOLER_PORT = 6432;

/** `cairn team invite` */
export function inviteMember(call: Call, argument: string | undefined): Promise<number> {
  const name = requireArgument(argument, 'name');
  return withStore(call, async (store) => {
    const projects = listProjectKeys(call, store);
    const pooler = readPooler(call);
    const access = await readAdmin(call);
    const login = await findLogin(call, store, call.now());
    const { invite } = await import('../../team/server/invite.ts');
    const link = await invite(access, {
      ...{ name, isReadOnly: call.options['read-only'] === true, key: login && readSecrets(login) },
      projects,
      ...(pooler && { reach: { ...pooler, ca: access.ca, userSuffix: '' } }),
    });
    if (login?.keys) await refreshKeys(login);
    const { isLasting, text } = call.options.lasting
      ? { isLasting: true, text: await makeLasting(link, name) }
      : { isLasting: false, text: link };
    if (call.options.json) printJson(call, { name, link: text, isLasting });
    else {
      call.out(text);
      call.err(
        withCairnCommand(
          isLasting
            ? `Set CAIRN_TEAM to this link in the container or pipeline. It is a login: keep it secret. End it: cairn team revoke ${name}`
            : `Send this link to ${name} over a private channel. It works once, within 24 hours: cairn team join`,
        ),
      );
    }
    return 0;
  });
}

/** The keys of the `--project` options; null without any, which means all projects. */
export function listProjectKeys({ options }: Call, store: Store): string[] | null {
  const keys = listOption(options.project).map((word) => {
    const found = store.listTeamProjects().find(({ name: label, key }) => label === word || key === word);
    if (!found) throw new CommandError(withCairnCommand(`${word} is not shared. See: cairn team status`));
    if (found.serverId === null)
      throw new CommandError(withCairnCommand(`The server does not have ${word} yet. Run: cairn team sync`));
    return found.key;
  });
  return keys.length > 0 ? keys : null;
}

function readPooler({ options }: Call): { host: string; port: number } | null {
  if (options.pooler === undefined) return null;
  const [, host, port = POOLER_PORT] =
    /^(\[[0-9a-f:]+\]|[\w.-]+)(?::(\d{1,5}))?$/i.exec(String(options.pooler)) ?? [];
  if (host === undefined) throw new UsageError('--pooler takes a host, or host:port.');
  return { host: host.replace(/^\[|\]$/g, ''), port: Number(port) };
}

/** Joins as a machine whose home is empty each time, and puts the login into the link. */
async function makeLasting(link: string, name: string): Promise<string> {
  const [{ join }, { writeLink }] = await Promise.all([
    import('../../team/server/join.ts'),
    import('../../team/server/link.ts'),
  ]);
  const login = await join(link, { machine: `${name} (CAIRN_TEAM)`, save: () => {} });
  return writeLink({ ...login, expiresAt: LASTING, secret: null });
}
