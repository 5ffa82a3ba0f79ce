import { findCheckoutOf } from '../../capture/place.ts';
import { formatCount } from '../../context/words.ts';
import { locate } from '../../memory/locate.ts';
import { shorten } from '../../model/shorten.ts';
import { withCairnCommand } from '../../platform/cairn-command.ts';
import type { Store } from '../../store/store.ts';
import { TeamError, type TeamFeed } from '../../team/feed.ts';
import { findRoots } from '../../team/sync/machine-paths.ts';
import { keyOfName, keyOfRemote } from '../../team/sync/project-key.ts';
import { shareProjectWithTeam, unshareProjectFromTeam } from '../../team/sync/share.ts';
import { syncTeam } from '../../team/sync/sync.ts';
import { canAsk, confirmLoss, readAnswer } from '../support/ask.ts';
import { type Call, CommandError } from '../support/command.ts';
import { findProject } from '../support/find-project.ts';
import { syncOptions, withTeam } from './open.ts';
import { shareMemory, unshareMemory } from './share-memory.ts';
import { reportSync } from './sync.ts';

const TITLES_SHOWN = 5;

/** `cairn team share` */
export function shareProject(call: Call, word: string | undefined): Promise<number> {
  const memory = numberIn(word);
  if (memory !== null) return shareMemory(call, memory);
  return withTeam(call, async ({ store, feed }) => {
    const project = word === undefined ? resolveCheckout(call, store) : findProject(store, word);
    const key = await chooseKey(call, store, project);
    const withPast = call.options.past === true;
    if (!(await confirmLoss(call, describeShare(call, store, { ...project, key, withPast })))) return 1;
    await refuseForbidden(feed, { key, name: project.name });
    shareProjectWithTeam(store, { projectId: project.id, key, withPast, now: call.now() });
    call.out(`${project.name} is shared as ${key.replace(/^name:/, '')}.`);
    return reportSync(call, await syncTeam(syncOptions(call, store), feed));
  });
}

/** Checks the right to share before anything changes. If the server is unreachable, the project is shared later. */
async function refuseForbidden(feed: TeamFeed, { key, name }: { key: string; name: string }): Promise<void> {
  try {
    await feed.openProject(key, Buffer.from(name));
  } catch (error) {
    if (!(error instanceof TeamError)) throw error;
    if (error.reason === 'forbidden')
      throw new CommandError(
        withCairnCommand(
          `You may not share ${name} in this team. Nothing was changed. An administrator can allow it: cairn team rights`,
        ),
      );
  }
}

/** `cairn team unshare` */
export function unshareProject(call: Call, word: string | undefined): Promise<number> {
  const memory = numberIn(word);
  if (memory !== null) return unshareMemory(call, memory);
  return withTeam(call, async ({ store, feed }) => {
    const project = resolveProject(store, word);
    const shared = store
      .listTeamProjects()
      .find(({ projectId, isShared }) => projectId === project.id && isShared);
    if (!shared) throw new CommandError(`${project.name} is not shared.`);
    const question = `Delete what you have shared of ${project.name} on the server and on the machines of others? It stays on this machine.`;
    if (!(await confirmLoss(call, question))) return 1;
    const items = unshareProjectFromTeam({ ...syncOptions(call, store), roots: findRoots() }, project.id);
    call.out(`${project.name} is no longer shared: ${formatCount(items, 'item')} taken back.`);
    call.out(
      withCairnCommand('Other machines remove them at their next sync. Who has not yet: cairn team status'),
    );
    return reportSync(call, await syncTeam(syncOptions(call, store), feed));
  });
}

/** `12` or `#12` is a memory; any other word names a project. */
function numberIn(word: string | undefined): number | null {
  const [, number] = /^#?(\d{1,15})$/.exec(word ?? '') ?? [];
  return number === undefined ? null : Number(number);
}

/** The project of this folder, even if nothing was captured in it yet: sharing may be a person's first command. */
function resolveCheckout(call: Call, store: Store): ReturnType<typeof resolveProject> {
  const { project, place } = locate(store, process.cwd());
  const { name, path, remote } = place;
  if (!project && findCheckoutOf(process.cwd()))
    store.projectFor(
      { name, path, ...(remote !== undefined && { remote }) },
      { now: call.now(), apartFrom: store.listProjects().map(({ id }) => id) },
    );
  return resolveProject(store, undefined);
}

function resolveProject(
  store: Store,
  word: string | undefined,
): { id: number; name: string; remote?: string } {
  if (word !== undefined) return findProject(store, word);
  const { project } = locate(store, process.cwd());
  const known = store.listProjects().find(({ id }) => id === project?.id);
  if (known) return known;
  throw new CommandError(
    withCairnCommand('Nothing was remembered in this folder yet. Name a project: cairn project list'),
  );
}

/** The project's remote address; without one, a name for the project that its other machines use too. */
async function chooseKey(
  call: Call,
  store: Store,
  { id, name, remote }: { id: number; name: string; remote?: string },
): Promise<string> {
  const known = store.listTeamProjects().find(({ projectId }) => projectId === id);
  if (known) return known.key;
  const label = call.options.as;
  const key =
    typeof label === 'string' ? keyOfName(label) : remote === undefined ? null : keyOfRemote(remote);
  if (key) return key;
  const answer =
    typeof label !== 'string' && canAsk(call)
      ? keyOfName(await readAnswer(`Name of ${name} in the team, the same on every machine: `))
      : null;
  if (answer) return answer;
  throw new CommandError(
    withCairnCommand(
      `${name} has no remote address that other machines know. Give it a name that is the same on all of them: cairn team share --as <name> (letters, digits, dots and dashes)`,
    ),
  );
}

function describeShare(
  call: Call,
  store: Store,
  { id, name, key, withPast }: { id: number; name: string; key: string; withPast: boolean },
): string {
  const { memories, workItems } = store.countUnshared(id, call.now());
  const past = `${formatCount(memories, 'memory', 'memories')} and ${formatCount(workItems, 'work item')}`;
  if (withPast)
    for (const { title } of store.listRecentMemories({ projectId: id, limit: TITLES_SHOWN }))
      call.err(`  ${shorten(title, 100)}`);
  const what = withPast
    ? `with ${past} from before`
    : `from now on (${past} from before stay private; --past shares them)`;
  return `Share ${name} with the team as ${key.replace(/^name:/, '')}, ${what}?`;
}
