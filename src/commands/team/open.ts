import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { openLog } from '../../capture/open-log.ts';
import { toStoredPlace } from '../../capture/stored-place.ts';
import { withCairnCommand } from '../../platform/cairn-command.ts';
import { openSqliteStore } from '../../store/sqlite/sqlite-store.ts';
import type { Store } from '../../store/store.ts';
import { TeamError, type TeamFeed } from '../../team/feed.ts';
import type { TeamCredentials } from '../../team/server/address.ts';
import type { AdminAccess } from '../../team/server/create.ts';
import { findLogin } from '../../team/sync/open-team.ts';
import type { SyncOptions } from '../../team/sync/sync.ts';
import { type Call, CommandError } from '../support/command.ts';
import { withMemory } from '../support/memory.ts';
import { readSecret } from '../support/secret.ts';

const NO_TEAM = 'This home is in no team. Make one: cairn team create, or use a link: cairn team join';

/** Keeps the store open while the server is asked. */
export async function withStore<T>(call: Call, use: (store: Store) => Promise<T>): Promise<T> {
  // Ingests the spool first.
  withMemory(call, () => {});
  const store = openSqliteStore(call.paths.database);
  try {
    return await use(store);
  } catch (error) {
    if (error instanceof TeamError) {
      const message = store.getTeam() ? describeTeamError(error) : error.message;
      throw new CommandError(withCairnCommand(message));
    }
    throw error;
  } finally {
    store.close();
  }
}

export async function withTeam<T>(
  call: Call,
  use: (team: { store: Store; login: TeamCredentials; feed: TeamFeed }) => Promise<T>,
): Promise<T> {
  return withStore(call, async (store) => {
    const login = await findLogin(call, store, call.now());
    if (!login || !store.getTeam()) throw new CommandError(withCairnCommand(NO_TEAM));
    const { openFeed } = await import('../../team/server/feed.ts');
    const feed = openFeed(login);
    try {
      return await use({ store, login, feed });
    } finally {
      await feed.close();
    }
  });
}

/** In an encrypted team: gives keys to machines and invitations without them, and makes new keys if due. */
export async function refreshKeys(login: TeamCredentials): Promise<void> {
  const { openFeed } = await import('../../team/server/feed.ts');
  const feed = openFeed(login);
  try {
    await feed.listHeads();
  } finally {
    await feed.close();
  }
}

export function syncOptions(call: Call, store: Store): SyncOptions {
  const { paths, settings, now, env } = call;
  const log = openLog({ folder: paths.logs, level: settings['log.level'], from: 'command' });
  const here = toStoredPlace(process.cwd());
  return { store, paths, settings, log, now, sharesAll: env.teamLink !== undefined, here };
}

export function describeTeamError({ reason, message }: Pick<TeamError, 'reason' | 'message'>): string {
  switch (reason) {
    case 'access':
      return `${message} This machine no longer has access. Remove what others have shared with it: cairn team leave --with-memories`;
    case 'network':
      return `${message} Nothing is lost: changes are sent when the server can be reached.`;
    case 'busy':
      return `${message} Try again in a moment.`;
    default:
      return message;
  }
}

/** From `--url`, or typed by the person. Never stored: daily syncing uses the machine's own login. */
export async function readAdmin(call: Call, source: unknown = call.options.url): Promise<AdminAccess> {
  const url = await readSecret(typeof source === 'string' ? source : undefined, {
    what: "administrator's URL",
    form: /^postgres(?:ql)?:\/\//i,
  });
  return { url, ca: readCa(call) };
}

function readCa({ options }: Call): string | null {
  if (typeof options.ca !== 'string') return null;
  try {
    return readFileSync(options.ca, 'utf8');
  } catch {
    throw new CommandError(`${options.ca} cannot be read.`);
  }
}

export function machineName({ options }: Call): string {
  return typeof options.machine === 'string' ? options.machine : hostname();
}
