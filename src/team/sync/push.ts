import { redactValue } from '../../capture/redact/redact-value.ts';
import type { Store } from '../../store/store.ts';
import type { OutboxChange, TeamProject } from '../../store/types/team.ts';
import { type OutgoingChange, TeamError, type TeamFeed } from '../feed.ts';
import type { TeamOptions } from './ledger.ts';
import { changeOrigin, correctClock } from './origin.ts';
import { serverIdOf } from './pull.ts';

const CHANGES_AT_ONCE = 200;
/** The size of one request. */
const MOST_BYTES = 1_000_000;
/** A limit for outcomes other than `stored` in a row. Each is repaired, and recurs only if that failed. */
const MOST_REPAIRS = 8;

/** Sends the changes that the server does not have. @returns how many. */
export async function pushProject(
  options: TeamOptions & { signal?: AbortSignal | undefined },
  feed: TeamFeed,
  projectId: number,
): Promise<number> {
  const { store, now } = options;
  let sent = 0;
  for (let repairs = 0; repairs <= MOST_REPAIRS; ) {
    options.signal?.throwIfAborted();
    const project = requireTeamProject(store, projectId);
    const [first] = store.listUnacknowledged(projectId);
    if (!first) return sent;
    const changes = takeBatch(store.listOutbox(projectId, first.origin, first.n, CHANGES_AT_ONCE));
    const result = await feed.push({
      project: serverIdOf(project),
      origin: first.origin,
      changes: changes.map(toOutgoing),
    });
    switch (result.outcome) {
      case 'stored':
        store.runInTransaction(() => {
          // Changes stripped here have no payload that could be refused.
          for (const { n, reason } of result.refused)
            if (changes.some((change) => change.n === n && change.payload))
              store.setRefusal(projectId, first.origin, n, redactValue(reason));
          store.setAcknowledged(projectId, first.origin, result.last);
        });
        sent += changes.length;
        repairs = 0;
        break;
      case 'gap':
        repairs++;
        if (store.findOutboxChange(projectId, first.origin, result.expected))
          store.setAcknowledged(projectId, first.origin, result.expected - 1);
        else changeOrigin(store, project);
        break;
      case 'fork':
        repairs++;
        changeOrigin(store, project);
        break;
      case 'clock':
        repairs++;
        correctClock(store, result.now, now());
    }
  }
  throw new TeamError(
    'server',
    `The server does not take the changes of ${requireTeamProject(store, projectId).name}.`,
  );
}

export function requireTeamProject(store: Store, projectId: number): TeamProject {
  const project = store.listTeamProjects().find((known) => known.projectId === projectId);
  if (!project) throw new Error('The project left the team while it was sent.');
  return project;
}

function takeBatch(changes: OutboxChange[]): OutboxChange[] {
  let bytes = 0;
  const fits = ({ payload }: OutboxChange, index: number) => {
    bytes += payload?.length ?? 0;
    return index === 0 || bytes <= MOST_BYTES;
  };
  const end = changes.findIndex((change, index) => !fits(change, index));
  return end === -1 ? changes : changes.slice(0, end);
}

function toOutgoing({
  n,
  item,
  aspect,
  hlc,
  digest,
  payload,
  keyEpoch,
  tokens,
}: OutboxChange): OutgoingChange {
  return { n, item, aspect, hlc, digest, payload, keyEpoch, tokens };
}
