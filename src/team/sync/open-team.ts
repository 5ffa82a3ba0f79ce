import { hostname } from 'node:os';
import { redactValue } from '../../capture/redact/redact-value.ts';
import type { Store } from '../../store/store.ts';
import { makeDigestSecret, readSecrets } from '../crypto/team-secrets.ts';
import { TeamError, type TeamFeed } from '../feed.ts';
import type { TeamCredentials } from '../server/address.ts';
import { type LoginOptions, readLogin, saveLogin } from './login.ts';

/** Opens the feed of this home's team; null if it is in none. Loads the driver. */
export async function openTeam(options: LoginOptions, store: Store, now: number): Promise<TeamFeed | null> {
  const login = await findLogin(options, store, now);
  if (!login) return null;
  const { openFeed } = await import('../server/feed.ts');
  return openFeed(login);
}

/** Reads the login from the home or its keychain, in an empty home from a link in the environment. */
export async function findLogin(
  options: LoginOptions,
  store: Store,
  now: number,
): Promise<TeamCredentials | null> {
  const stored = await readLogin(options);
  if (stored || options.env.teamLink === undefined) return store.getTeam() || !stored ? stored : null;
  return enterByLink(options, store, options.env.teamLink, now);
}

/**
 * A lasting link is itself the login and is never written to a file. A link that is valid once is used up, and its
 * login is saved.
 */
async function enterByLink(
  options: LoginOptions,
  store: Store,
  link: string,
  now: number,
): Promise<TeamCredentials> {
  const { expiresAt, secret: _, ...login } = await readTeamLink(link);
  const machine = hostname();
  if (expiresAt === LASTING) {
    if (store.getTeam()?.team !== login.team) await enterTeam(store, login, machine, now);
    return login;
  }
  const { join } = await import('../server/join.ts');
  const joined = await join(link, { machine, save: (fresh) => saveLogin(options, fresh) });
  await enterTeam(store, joined, machine, now);
  return joined;
}

async function readTeamLink(link: string) {
  const { readLink } = await import('../server/link.ts');
  try {
    return readLink(link);
  } catch (error) {
    if (error instanceof TeamError) throw new TeamError(error.reason, `CAIRN_TEAM: ${error.message}`);
    throw error;
  }
}

/** `expiresAt` of a lasting link. */
export const LASTING = 0;

/** Makes this home a member of the team of these credentials. */
export async function enterTeam(
  store: Store,
  login: TeamCredentials,
  machine: string,
  now: number,
): Promise<{ member: string }> {
  const [{ listMembers }, { openFeed }] = await Promise.all([
    import('../server/people.ts'),
    import('../server/feed.ts'),
  ]);
  const me = (await listMembers(login)).find(({ isMe }) => isMe);
  if (!me) throw new TeamError('access', 'The server does not know this machine.');
  const feed = openFeed(login);
  try {
    const { epoch } = await feed.listHeads();
    const secrets = readSecrets(login);
    const server = `${login.host}/${login.database}`;
    store.runInTransaction(() => {
      store.saveTeam({
        ...redactValue({ member: me.name, machine, server, problem: null }),
        // Encryption follows from the login: a server could lie to make a machine send plain text.
        ...{ team: login.team, epoch, isEncrypted: secrets !== null, joinedAt: now },
        ...{ hlc: '0', clockOffset: 0, syncedAt: null },
      });
      if (secrets) store.setDigestSecret(makeDigestSecret(secrets.teamKey));
    });
  } finally {
    await feed.close();
  }
  return { member: me.name };
}
