import { accessSync, constants } from 'node:fs';
import { readAccess, revokeKeys } from '../api/access.ts';
import { ownOrigin } from '../api/own-address.ts';
import { prepareHome } from '../capture/home.ts';
import { openInHome } from '../memory/memory-error.ts';
import { findNearest } from '../model/find-nearest.ts';
import { startDetached } from '../platform/detach.ts';
import { findProgram } from '../platform/installation.ts';
import { startWorker } from '../platform/start-worker.ts';
import { findRunningWorker } from '../worker/worker-note.ts';
import { type Call, type Command, CommandError, printJson } from './support/command.ts';

const PATIENCE_MS = 20_000;
const ANSWER_MS = 10_000;
const PAGES = [
  ...['feed', 'search', 'timeline', 'work', 'injections', 'health'],
  ...['stats', 'settings', 'projects'],
];

export const command: Command = {
  name: 'open',
  summary: 'Open the viewer in a browser',
  usage: 'open [page|number] [--print] [--json]\nopen --revoke',
  help: [
    'Starts the worker and opens a link that works once, within a minute. The browser then keeps a key for 30 days.',
    `  page      one of ${PAGES.join(', ')}; or the number of a memory, such as 12, or of a session, such as s5`,
    '  --print   print the link instead of opening it; also without a terminal',
    '  --revoke  log out every browser and program that has a key',
  ].join('\n'),
  words: 1,
  options: { print: { type: 'boolean' }, json: { type: 'boolean' }, revoke: { type: 'boolean' } },
  async run(call) {
    if (call.options.revoke) {
      revokeKeys(call.paths);
      call.out('Revoked every key. Log in again: cairn open');
      return 0;
    }
    if (call.settings['api.listen'] === 'off')
      throw new CommandError('The local API is turned off. Turn it on: cairn config set api.listen on');
    const path = findPath(call.positionals[0]);
    const origin = ownOrigin(await findPort(call));
    const { code, expiresAt } = await requestCode(call, origin);
    const link = `${origin}/open#${code}${path}`;
    if (call.options.json) printJson(call, { link, origin, code, expiresAt });
    else if (call.options.print || !call.isTerminal || !openBrowser(call, link))
      call.out(`Open this link within a minute; it works once: ${link}`);
    else call.out(`Opened the viewer: ${origin}`);
    return 0;
  },
};

/** The page to open; the feed by default. */
function findPath(wanted: string | undefined): string {
  if (wanted === undefined || wanted === 'feed') return '';
  const memory = /^#?(\d{1,15})$/.exec(wanted)?.[1];
  if (memory !== undefined) return `/m/${memory}`;
  const session = /^s(\d{1,15})$/.exec(wanted)?.[1];
  if (session !== undefined) return `/s/${session}`;
  if (PAGES.includes(wanted)) return `/${wanted}`;
  const nearest = findNearest(wanted, PAGES);
  const meant = nearest ? ` Did you mean ${nearest}?` : '';
  throw new CommandError(`There is no page ${wanted}.${meant} Pages: ${PAGES.join(', ')}`);
}

/** From the running worker's note, which only its owner can write: any other port may belong to another program. */
async function findPort(call: Call): Promise<number> {
  const { paths, home, env, now } = call;
  const end = now() + PATIENCE_MS;
  for (let isStarted = false; ; ) {
    const worker = findRunningWorker(paths);
    if (typeof worker?.port === 'number') return worker.port;
    if (worker?.port === null)
      throw new CommandError('The worker could not open a port. Details: cairn worker logs');
    if (!worker && !isStarted) {
      openInHome(home, () => {
        prepareHome(home, env.searchPath);
        // A worker that cannot take its lock exits silently, so the folder is checked first.
        accessSync(paths.state, constants.W_OK);
      });
      startWorker();
      isStarted = true;
    }
    if (now() > end) throw new CommandError('The worker did not start. Details: cairn worker logs');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function requestCode({ paths }: Call, origin: string): Promise<{ code: string; expiresAt: number }> {
  const response = await fetch(`${origin}/api/codes`, {
    method: 'POST',
    headers: { authorization: `Bearer ${readAccess(paths).token}`, 'content-type': 'application/json' },
    body: '{}',
    signal: AbortSignal.timeout(ANSWER_MS),
  }).catch(() => null);
  if (!response?.ok) throw new CommandError('The worker did not answer. Details: cairn worker logs');
  return (await response.json()) as { code: string; expiresAt: number };
}

/** @returns false if there is no browser to open. */
export function openBrowser({ env }: Pick<Call, 'env'>, link: string): boolean {
  if (process.platform === 'darwin') startDetached('/usr/bin/open', [link]);
  else if (process.platform === 'win32') startDetached('rundll32', ['url.dll,FileProtocolHandler', link]);
  else {
    const hasDisplay = env.variable('DISPLAY') ?? env.variable('WAYLAND_DISPLAY');
    const program = hasDisplay ? findProgram('xdg-open', env.searchPath) : null;
    if (!program) return false;
    startDetached(program, [link]);
  }
  return true;
}
