import { createHash, randomUUID } from 'node:crypto';
import {
  type Aspect,
  type FeedChange,
  type FeedText,
  type PullResult,
  type PushRequest,
  type PushResult,
  TeamError,
  type TeamFeed,
} from '../../src/team/feed.ts';

interface Project {
  id: number;
  key: string;
  label: Uint8Array;
  changes: (FeedChange & { tokens: number[] })[];
  dead: Set<string>;
  confirmed: Map<string, string>;
  claims: Map<string, { machine: string; member: string }>;
}

const LEAD_MS = 5 * 60_000;

/** A team server in memory, with the rules of `TeamFeed`. */
export interface MemoryServer {
  /** The feed as a machine of a member sees it. */
  connect(member: string, machine: string): TeamFeed;
  /** Copies everything. @returns a function that restores it; the epoch stays, as after a point-in-time recovery. */
  backUp(): () => void;
  confirmed(key: string): Record<string, string>;
  /** All stored bytes, as text. */
  dump(): string;
  now: () => number;
}

export function createMemoryServer(): MemoryServer {
  const team = randomUUID();
  const epoch = randomUUID();
  let projects: Project[] = [];
  let origins = new Map<string, string>();
  const server: MemoryServer = {
    now: Date.now,
    connect: (member, machine) => connect(member, machine),
    backUp() {
      const kept = structuredClone({ projects, origins });
      return () => {
        ({ projects, origins } = structuredClone(kept));
      };
    },
    confirmed: (key) => Object.fromEntries(projects.find((project) => project.key === key)?.confirmed ?? []),
    dump: () =>
      projects
        .flatMap(({ key, label, changes }) => [
          key,
          Buffer.from(label).toString(),
          ...changes.map(({ payload }) => (payload ? Buffer.from(payload).toString() : '')),
        ])
        .join('\n'),
  };
  return server;

  function find(id: number): Project {
    const project = projects.find((known) => known.id === id);
    if (!project) throw new TeamError('forbidden', 'There is no such project.');
    return project;
  }

  function connect(member: string, machine: string): TeamFeed {
    const head = (project: Project) => ({
      id: project.id,
      key: project.key,
      label: project.label,
      head: String(project.changes.length),
      chain: chainAt(project.changes, project.changes.length),
      canWrite: true,
    });
    return {
      listHeads: async () => ({
        team,
        epoch,
        now: server.now(),
        isEncrypted: false,
        projects: projects.map(head),
      }),
      async openProject(key, label) {
        let project = projects.find((known) => known.key === key);
        if (!project) {
          project = {
            id: projects.length + 1,
            key,
            label,
            changes: [],
            dead: new Set(),
            confirmed: new Map(),
            claims: new Map(),
          };
          projects.push(project);
        }
        return head(project);
      },
      push: async (request) => push(member, request),
      open: (_, change) => change,
      pull: async (id, after, limit) => pull(find(id), Number(after.seq), after.chain, limit),
      async confirm(id, seq) {
        find(id).confirmed.set(machine, seq);
      },
      async claim(id, item) {
        const { claims } = find(id);
        const claim = claims.get(item) ?? { machine, member };
        claims.set(item, claim);
        return claim.machine === machine ? { outcome: 'claimed' } : { outcome: 'taken', by: claim.member };
      },
      async search({ projects: wanted, tokens, limit }) {
        const found = projects
          .filter(({ id }) => wanted === null || wanted.includes(id))
          .flatMap((project) =>
            latest(project, 'text').map((change) => ({
              ...describeText(project, change),
              matched: tokens.filter((token) => change.tokens.includes(token)).length,
              tokens: change.tokens,
            })),
          )
          .filter(({ matched }) => matched > 0);
        return {
          candidates: found
            .sort((one, other) => other.matched - one.matched)
            .slice(0, limit)
            .map(({ tokens: _, ...candidate }) => candidate),
          frequencies: new Map(
            tokens.map((token) => [token, found.filter((text) => text.tokens.includes(token)).length]),
          ),
        };
      },
      readTexts: async (ids) =>
        projects.flatMap((project) =>
          latest(project, 'text')
            .filter(({ item }) => ids.some((id) => item.startsWith(id)))
            .map((change) => describeText(project, change)),
        ),
      close: async () => {},
    };
  }

  /** The latest change of an aspect, for each item. */
  function latest(project: Project, aspect: Aspect): Project['changes'] {
    const winners = new Map<string, Project['changes'][number]>();
    for (const change of project.changes) {
      if (change.aspect !== aspect || !change.payload) continue;
      const known = winners.get(change.item);
      if (!known || BigInt(change.hlc) > BigInt(known.hlc)) winners.set(change.item, change);
    }
    return [...winners.values()];
  }

  function describeText(project: Project, text: FeedChange): FeedText {
    const { item, author, hlc, payload } = text;
    const find = (aspect: Aspect) => latest(project, aspect).find((change) => change.item === item);
    const state = find('state');
    return {
      ...{ project: project.id, item, author, hlc, payload: payload ?? new Uint8Array() },
      pin: find('pin')?.payload ?? null,
      supersession: find('supersession')?.payload ?? null,
      state: state && BigInt(state.hlc) > BigInt(hlc) ? state.payload : null,
    };
  }

  function push(member: string, { project: id, origin, changes }: PushRequest): PushResult {
    const project = find(id);
    const [first] = changes;
    if (!first) throw new TeamError('server', 'A push has changes.');
    const owner = origins.get(origin) ?? member;
    if (owner !== member) return { outcome: 'fork', at: first.n };
    origins.set(origin, member);
    const own = project.changes.filter((change) => change.origin === origin);
    const last = own.length;
    if (first.n > last + 1) return { outcome: 'gap', expected: last + 1 };
    const other = changes.find(({ n, digest }) => {
      const known = own.find((change) => change.n === n);
      return known && Buffer.compare(known.digest, digest) !== 0;
    });
    if (other) return { outcome: 'fork', at: other.n };
    const now = server.now();
    const fresh = changes.filter(({ n }) => n > last);
    if (fresh.some(({ hlc }) => Number(BigInt(hlc) >> 16n) > now + LEAD_MS)) return { outcome: 'clock', now };
    const refused: { n: number; reason: string }[] = [];
    for (const change of fresh) {
      if (!change.payload && change.aspect !== 'deletion')
        refused.push({ n: change.n, reason: 'no payload' });
      if (change.aspect === 'deletion') {
        project.dead.add(change.item);
        for (const known of project.changes) if (known.item === change.item) known.payload = null;
      }
      const payload = project.dead.has(change.item) ? null : change.payload;
      project.changes.push({
        ...change,
        payload,
        origin,
        author: member,
        seq: String(project.changes.length + 1),
      });
    }
    return {
      outcome: 'stored',
      last: Math.max(last, changes.at(-1)?.n ?? 0),
      head: String(project.changes.length),
      refused,
    };
  }
}

function pull({ changes }: Project, after: number, chain: Uint8Array | null, limit: number): PullResult {
  const head = String(changes.length);
  const here = chainAt(changes, after);
  if (after > 0 && (!here || !chain || Buffer.compare(here, chain) !== 0))
    return { outcome: 'diverged', head };
  const some = changes.slice(after, after + limit).map(({ tokens: _, ...change }) => structuredClone(change));
  const seq = after + some.length;
  return { outcome: 'changes', changes: some, end: { seq: String(seq), chain: chainAt(changes, seq) }, head };
}

function chainAt(changes: FeedChange[], seq: number): Uint8Array | null {
  if (seq === 0 || seq > changes.length) return null;
  return changes
    .slice(0, seq)
    .reduce(
      (chain, { digest }) => createHash('sha256').update(chain).update(digest).digest(),
      Buffer.alloc(0),
    );
}
