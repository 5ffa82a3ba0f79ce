import { readEnvironment } from '../../config/environment.ts';
import type { Project } from '../../model/project.ts';
import type { Store } from '../../store/store.ts';
import type { TeamProject } from '../../store/types/team.ts';
import { TeamError } from '../../team/feed.ts';
import { findRoots } from '../../team/sync/machine-paths.ts';
import { findLogin } from '../../team/sync/open-team.ts';
import { keyOfRemote } from '../../team/sync/project-key.ts';
import {
  chooseMemorySharing,
  findSharingProblem,
  readMemorySharing,
  shareProjectWithTeam,
  unshareProjectFromTeam,
} from '../../team/sync/share.ts';
import { listUnconfirmed } from '../../team/sync/unconfirmed.ts';
import type { ApiCall } from '../options.ts';
import { Problem } from '../problem.ts';
import type { Handlers } from '../route.ts';
import type { teamRoutes } from '../routes/team.ts';
import { requireMemory } from './memories.ts';
import { requireProject } from './projects.ts';

const ASIDE_SHOWN = 20;

export const teamHandlers: Handlers<typeof teamRoutes> = {
  getTeam(_, { store, now }) {
    const team = store.getTeam();
    if (!team) return { team: null, projects: [] };
    const { member, machine, server, isEncrypted, joinedAt, syncedAt, problem } = team;
    const { pending, marked, aside, refused, memories } = store.countTeam();
    const shared = store.listTeamProjects();
    const nameOf = new Map(shared.map(({ projectId, name }) => [projectId, name]));
    return {
      team: {
        ...{ member, machine, server, isEncrypted, joinedAt, syncedAt, problem, refused },
        ...{ pending: pending + marked, asideCount: aside, received: memories },
        aside: store.listAside(ASIDE_SHOWN).map(({ projectId, problem: why, at }) => ({
          ...{ project: nameOf.get(projectId) ?? null, problem: why, at },
        })),
      },
      projects: store.listProjects().map((project) => describeProject(store, project, shared, now())),
    };
  },
  async listTeamPeople(_, call) {
    const { listMachines, listMembers } = await import('../../team/server/people.ts');
    const login = await requireLogin(call);
    const [members, machines] = await askServer(async () => [
      await listMembers(login),
      await listMachines(login),
    ]);
    const unconfirmed = listUnconfirmed(call.store, machines);
    return {
      members: members.map(({ name, isMe, isReadOnly, seesAllProjects, revokedAt }) => ({
        ...{ name, isMe, isReadOnly, seesAllProjects, hasAccess: revokedAt === null },
      })),
      machines: machines.map(({ role, member, label, isThis, joinedAt, revokedAt, lastSeen }) => ({
        ...{ member, label, isThis, lastSeen: lastSeen?.getTime() ?? null },
        state: revokedAt ? ('revoked' as const) : joinedAt ? ('joined' as const) : ('invited' as const),
        unconfirmed: unconfirmed.find((machine) => machine.role === role)?.deletions ?? 0,
      })),
    };
  },
  shareProject({ params: { id }, body: { withPast } }, { store, now, wakeWorker }) {
    requireTeam(store);
    const project = requireProject(store, id);
    const key = keyOf(project, store.listTeamProjects());
    if (key === null)
      throw new Problem(
        409,
        `${project.name} has no remote address. Name it, the same on every machine: cairn team share --as <name>`,
      );
    shareProjectWithTeam(store, { projectId: id, key, withPast, now: now() });
    wakeWorker();
    return { project: describeProject(store, project, store.listTeamProjects(), now()) };
  },
  unshareProject({ params: { id } }, { store, log, now, wakeWorker }) {
    requireTeam(store);
    const project = requireProject(store, id);
    if (!store.listTeamProjects().some(({ projectId, isShared }) => projectId === id && isShared))
      throw new Problem(409, `${project.name} is not shared.`);
    const items = unshareProjectFromTeam({ store, log, now, roots: findRoots() }, id);
    wakeWorker();
    return { project: describeProject(store, project, store.listTeamProjects(), now()), items };
  },
  shareMemory: ({ params: { id } }, call) => decideOnMemory(call, id, 'always'),
  unshareMemory: ({ params: { id } }, call) => decideOnMemory(call, id, 'never'),
};

function decideOnMemory({ store, wakeWorker }: ApiCall, id: number, sharing: 'always' | 'never') {
  requireTeam(store);
  const memory = requireMemory(store, id);
  const problem = findSharingProblem(store, memory, sharing);
  if (problem !== null) throw new Problem(409, problem);
  chooseMemorySharing(store, id, sharing);
  wakeWorker();
  return { sharing: readMemorySharing(store, memory) };
}

function describeProject(store: Store, project: Project, shared: TeamProject[], now: number) {
  const { id, name } = project;
  const known = shared.find(({ projectId }) => projectId === id);
  return {
    ...{ id, name, key: keyOf(project, shared), isShared: known?.isShared ?? false },
    ...{ isRead: known?.serverId != null, canWrite: known?.canWrite ?? true },
    pending: known ? store.countPending(id) : 0,
    unshared: store.countUnshared(id, now),
  };
}

function keyOf({ id, remote }: Project, shared: TeamProject[]): string | null {
  const known = shared.find(({ projectId }) => projectId === id);
  return known?.key ?? (remote === undefined ? null : keyOfRemote(remote));
}

function requireTeam(store: Store): void {
  if (!store.getTeam()) throw new Problem(409, 'This home is in no team. Make one: cairn team create');
}

async function requireLogin({ paths, settings, store, now }: ApiCall) {
  requireTeam(store);
  const login = await askServer(() => findLogin({ paths, settings, env: readEnvironment() }, store, now()));
  if (!login) throw new Problem(409, 'The login of the team is missing. Join again: cairn team join');
  return login;
}

async function askServer<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof TeamError)
      throw new Problem(503, `The team's server does not answer: ${error.message}`);
    throw error;
  }
}
