import {
  type FeedChange,
  type Heads,
  type ProjectHead,
  type PushRequest,
  TeamError,
  type TeamFeed,
} from '../feed.ts';
import { openPayload, sealPayload } from './envelope.ts';
import { ensureKey, type Keyring, type KeyServer, refreshKeyring } from './keyring.ts';
import { showName } from './names.ts';
import { hideProjectKey, openLabel, sealLabel } from './project-names.ts';
import type { TeamSecrets } from './team-secrets.ts';

const LOCAL_ONLY = 'The team is encrypted: its server cannot read memories.';

/**
 * Wraps the feed of an encrypted team: seals changes for the server and opens those received. A change that cannot be
 * opened stays sealed, with the reason.
 */
export function sealFeed(feed: TeamFeed, keys: KeyServer, secrets: TeamSecrets): TeamFeed {
  const { team, teamKey } = secrets;
  /** By the server's number. `key` is the project's key on the server. */
  const projects = new Map<number, { key: string; name: string }>();
  /** A cache: opening a name takes as long as opening a text, and few members make all changes. */
  const names = new Map<string, string>();
  let ring: Keyring | null = null;

  function nameOf(label: string): string {
    const name = names.get(label) ?? showName(label, teamKey);
    names.set(label, name);
    return name;
  }

  async function refresh(): Promise<Keyring> {
    ring = await refreshKeyring(keys, secrets);
    return ring;
  }

  function requireProject(id: number): { key: string; name: string } {
    const project = projects.get(id);
    if (!project) throw new TeamError('forbidden', 'No such project, or no right to it.');
    return project;
  }

  function nameHead(head: ProjectHead): ProjectHead[] {
    const label = openLabel(head.label, secrets, head.key);
    if (!label) return [];
    projects.set(head.id, { key: head.key, name: label.name });
    return [{ ...head, key: label.key, label: Buffer.from(label.name) }];
  }

  function seal({ project, origin, changes }: PushRequest): PushRequest {
    const { key: projectKey, name } = requireProject(project);
    const newest = ring?.newest(project);
    if (!newest) throw waitsForKey(name);
    return {
      ...{ project, origin },
      changes: changes.map((change) => {
        const { item, aspect, hlc, n, payload } = change;
        if (!payload) return { ...change, tokens: [] };
        const place = { team, projectKey, item, aspect, hlc, origin, n };
        const sealed = sealPayload(payload, newest.key, newest.keyEpoch, place);
        return { ...change, payload: sealed, keyEpoch: newest.keyEpoch, tokens: [] };
      }),
    };
  }

  function open(project: number, { unopened: _, ...change }: FeedChange): FeedChange {
    if (!change.payload) return { ...change, keyEpoch: 0 };
    const place = { ...change, team, projectKey: requireProject(project).key };
    const opened = openPayload(change.payload, (epoch) => ring?.find(project, epoch), place);
    if (opened.outcome !== 'opened') return { ...change, unopened: opened.outcome };
    return { ...change, payload: opened.plain, keyEpoch: 0 };
  }

  return {
    close: feed.close,
    confirm: feed.confirm,
    async listHeads() {
      const heads = await feed.listHeads();
      const current = await refresh();
      const named = heads.projects.flatMap(nameHead);
      return { ...heads, projects: named, keyProblem: describeProblem(current, named) };
    },
    async openProject(key, name) {
      const label = sealLabel({ key, name: Buffer.from(name).toString() }, secrets);
      const head = await feed.openProject(hideProjectKey(teamKey, key), label);
      projects.set(head.id, { key: head.key, name: Buffer.from(name).toString() });
      ring = await ensureKey(keys, secrets, head.id);
      return { ...head, key, label: name };
    },
    async push(request) {
      try {
        return await feed.push(seal(request));
      } catch (error) {
        // Since the last refresh a new key was made or became due.
        if (!(error instanceof TeamError) || error.reason !== 'keys') throw error;
        await refresh();
        return feed.push(seal(request));
      }
    },
    async pull(project, after, limit) {
      // Without any key every change would be set aside.
      if (!ring?.hasKeyOf(project)) throw waitsForKey(requireProject(project).name);
      const result = await feed.pull(project, after, limit);
      if (result.outcome !== 'changes') return result;
      const changes = result.changes.map((change) => ({
        ...open(project, change),
        author: nameOf(change.author),
      }));
      return { ...result, changes };
    },
    open,
    async claim(project, item) {
      const result = await feed.claim(project, item);
      if (result.outcome === 'claimed') return result;
      return { ...result, by: nameOf(result.by) };
    },
    async search() {
      throw new TeamError('server', LOCAL_ONLY);
    },
    async readTexts() {
      throw new TeamError('server', LOCAL_ONLY);
    },
  };
}

function waitsForKey(name: string): TeamError {
  return new TeamError(
    'keys',
    `This machine waits for the key of ${name}. Any machine of the team that has it gives it at its next sync.`,
  );
}

function describeProblem({ strangers, foreignKeys }: Keyring, projects: Heads['projects']): string | null {
  if (strangers.length > 0)
    return `The server lists machines that no member has invited (${strangers.join(', ')}). They were given no keys. Ask the administrator about them.`;
  const [project] = foreignKeys;
  if (project === undefined) return null;
  const name = projects.find(({ id }) => id === project)?.label ?? '';
  return `The server gave a key of ${Buffer.from(name).toString()} that this team has not made. It is not used.`;
}
