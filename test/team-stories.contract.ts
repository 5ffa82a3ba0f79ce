import { beforeEach, describe, expect, test } from 'vitest';
import { updateIndex } from '../src/indexing/update-index.ts';
import { recall } from '../src/recall/recall.ts';
import type { Store } from '../src/store/store.ts';
import { TeamError, type TeamFeed } from '../src/team/feed.ts';
import { newTeamProject } from '../src/team/sync/link-projects.ts';
import { chooseMemorySharing, readMemorySharing } from '../src/team/sync/share.ts';
import {
  copyHome,
  describeHome,
  findByTitle,
  makeTeamHome,
  SHOP,
  settleHomes,
  type TeamHome,
} from './support/team-home.ts';

/** A server of a team, in memory or a real one. */
export interface StoryServer {
  /** A machine that has joined. */
  connect(member: string, machine: string): Promise<TeamFeed>;
  /** @returns what brings the server back to this moment. */
  backUp(): Promise<() => Promise<void>>;
}

/** What a team of three homes and two members lives through, on every feed the same. */
export function teamStories(name: string, makeServer: () => Promise<StoryServer>): void {
  describe(`a team on ${name}`, () => {
    let server: StoryServer;
    /** Two machines of Anna, one of Ben. */
    let laptop: TeamHome;
    let desktop: TeamHome;
    let ben: TeamHome;

    beforeEach(async () => {
      server = await makeServer();
      laptop = await makeTeamHome(await server.connect('Anna', 'laptop'), 'Anna', 'laptop');
      desktop = await makeTeamHome(await server.connect('Anna', 'desktop'), 'Anna', 'desktop');
      ben = await makeTeamHome(await server.connect('Ben', 'ben-1'), 'Ben', 'ben-1');
    });

    const homes = () => [laptop, desktop, ben];

    const settle = () => settleHomes(homes());

    const titlesIn = ({ store, projectId }: TeamHome) =>
      store
        .listRecentMemories({ projectId, limit: 100 })
        .map(({ title }) => title)
        .filter((title) => !title.startsWith('private start'))
        .sort();

    function expectEqual(): void {
      const [first, ...rest] = homes().map(describeHome);
      for (const other of rest) expect(other).toEqual(first);
    }

    test('a note of one is found by the others, with its author', async () => {
      laptop.note('Prices are stored in cents', 'Rounding happens once, in the invoice.');
      await settle();
      for (const home of [desktop, ben]) {
        const memory = findByTitle(home, 'Prices are stored in cents');
        expect(memory).toMatchObject({ narrative: 'Rounding happens once, in the invoice.', kind: 'note' });
        updateIndex(home.store as unknown as Store);
        const [hit] = recall(home.store as unknown as Store, {
          text: 'how are prices stored',
          projectId: home.projectId,
          reach: 'project',
          limit: 5,
          now: Date.now(),
        });
        expect(hit?.id).toBe(memory?.id);
        expect(home.store.findTeamItem('memory', memory?.id ?? 0)?.author).toBe('Anna');
      }
      expectEqual();
    });

    test('what was there before is not shared, nor what is global', async () => {
      laptop.store.addNote(
        {
          ...{ type: null, title: 'I like tabs', narrative: '', aliases: [], files: [], pins: [] },
          ...{
            saidBy: 'person',
            isPinned: false,
            scope: 'global',
            place: { path: '/work/laptop/shop/.git', name: 'shop' },
          },
        },
        laptop.now(),
      );
      await settle();
      expect(describeHome(ben)).toEqual([]);
    });

    test('one memory is shared or kept private, whatever its project is', async () => {
      const [shared, later] = [laptop.note('Known to all'), laptop.note('Known too early')];
      const old = laptop.note('From before');
      const [project] = laptop.store.listTeamProjects();
      if (project) laptop.store.saveTeamProject({ ...project, since: laptop.now() + 60_000 });
      await settle();
      expect(describeHome(ben)).toEqual([]);
      chooseMemorySharing(laptop.store as Store, shared, 'always');
      chooseMemorySharing(laptop.store as Store, later, 'always');
      await settle();
      expect(titlesIn(ben)).toEqual(['Known to all', 'Known too early']);
      chooseMemorySharing(laptop.store as Store, later, 'never');
      laptop.store.editMemory(later, { narrative: 'edited, and still private' }, laptop.now());
      await settle();
      expect(titlesIn(ben)).toEqual(['Known to all']);
      expect(laptop.store.getMemory(later)).toMatchObject({ narrative: 'edited, and still private' });
      expect(laptop.store.getMemory(old)).toMatchObject({ title: 'From before' });
      chooseMemorySharing(laptop.store as Store, later, 'always');
      await settle();
      expect(titlesIn(ben)).toEqual(['Known to all', 'Known too early']);
    });

    test('each machine knows whether a memory is shared, and who decides', async () => {
      const id = laptop.note('Known to all');
      const sharingOf = (home: TeamHome, title: string) => {
        const memory = home.store.getMemory(findByTitle(home, title)?.id ?? 0);
        return memory && readMemorySharing(home.store as Store, memory);
      };
      const inProject = { isShared: true, problem: null };
      expect(sharingOf(laptop, 'Known to all')).toEqual(inProject);
      await settle();
      expect(sharingOf(laptop, 'Known to all')).toEqual(inProject);
      const there = (home: TeamHome) => `#${findByTitle(home, 'Known to all')?.id}`;
      expect(sharingOf(desktop, 'Known to all')).toEqual({
        isShared: true,
        problem: `${there(desktop)} was made on another machine of yours. Decide there whether it is shared.`,
      });
      expect(sharingOf(ben, 'Known to all')).toEqual({
        isShared: true,
        problem: `${there(ben)} is from Anna, who decides whether it is shared.`,
      });
      expect(sharingOf(laptop, 'private start of laptop')).toEqual({ isShared: false, problem: null });
      // At once, before the next sync.
      chooseMemorySharing(laptop.store as Store, id, 'never');
      expect(sharingOf(laptop, 'Known to all')).toEqual({ isShared: false, problem: null });
      const [project] = laptop.store.listTeamProjects();
      if (project) laptop.store.saveTeamProject({ ...project, canWrite: false });
      expect(sharingOf(laptop, 'Known to all')).toEqual({
        isShared: false,
        problem: 'You can only read shop in the team. An administrator can change that: cairn team rights',
      });
    });

    test('an edit of a colleague changes the same memory', async () => {
      const id = laptop.note('The cache lives in Redis');
      await settle();
      const there = findByTitle(ben, 'The cache lives in Redis')?.id ?? 0;
      ben.store.editMemory(there, { title: 'The cache lives in Valkey' }, ben.now());
      await settle();
      expect(laptop.store.getMemory(id)).toMatchObject({ title: 'The cache lives in Valkey' });
      expect(laptop.store.getMemory(id)?.editedAt).not.toBeNull();
      expect(describeHome(laptop)).toHaveLength(1);
      expectEqual();
    });

    describe('conflicts', () => {
      type Change = (home: TeamHome, id: number) => void;
      const changes: [string, Change][] = [
        [
          'text',
          (home, id) => home.store.editMemory(id, { narrative: `edited by ${home.machine}` }, home.now()),
        ],
        ['pin', (home, id) => home.store.pinMemory(id, home.now())],
        [
          'supersession',
          (home, id) =>
            home.store.supersedeMemories([id], home.note(`better, says ${home.machine}`), home.now()),
        ],
        ['deletion', (home, id) => home.forget(id)],
      ];
      const pairs = changes.flatMap((one) => changes.map((other) => [one, other] as const));

      test.each(pairs.map(([one, other]) => [one[0], other[0], one[1], other[1]] as const))(
        '%s against %s end equal everywhere',
        async (first, second, changeHere, changeThere) => {
          laptop.note('Disputed');
          await settle();
          changeHere(laptop, findByTitle(laptop, 'Disputed')?.id ?? 0);
          changeThere(ben, findByTitle(ben, 'Disputed')?.id ?? 0);
          await settle();
          expectEqual();
          const left = findByTitle(desktop, 'Disputed');
          if (first === 'deletion' || second === 'deletion') expect(left).toBeUndefined();
          else {
            const both = [first, second];
            if (both.includes('pin')) expect(left?.pinnedAt).not.toBeNull();
            if (both.includes('supersession')) expect(left?.supersededBy).not.toBeNull();
            if (both.includes('text')) expect(left?.narrative).toMatch(/^edited by/);
          }
        },
      );

      test('the losing text stays in the history', async () => {
        laptop.note('Disputed', 'first');
        await settle();
        for (const home of [laptop, ben])
          home.store.editMemory(
            findByTitle(home, 'Disputed')?.id ?? 0,
            { narrative: `of ${home.machine}` },
            home.now(),
          );
        await settle();
        const { narrative } = findByTitle(desktop, 'Disputed') ?? {};
        const loser = narrative === 'of laptop' ? 'of ben-1' : 'of laptop';
        for (const home of homes()) {
          const item = home.store.findTeamItem('memory', findByTitle(home, 'Disputed')?.id ?? 0)?.item ?? '';
          const texts = home.store.listEarlierTexts(item).map(({ text }) => JSON.parse(text).narrative);
          expect(texts).toContain(loser);
        }
      });

      test('a replacement goes with the new memory, in one sync', async () => {
        const old = laptop.note('The cache lives for ten minutes');
        await laptop.synced();
        laptop.store.supersedeMemories([old], laptop.note('The cache lives for an hour'), laptop.now());
        await laptop.synced();
        await ben.synced();
        expect(findByTitle(ben, 'The cache lives for ten minutes')?.supersededBy).toBe(
          findByTitle(ben, 'The cache lives for an hour')?.id,
        );
      });

      test('two that one machine replaces by each other: the later replacement holds everywhere', async () => {
        const one = laptop.note('One');
        const other = laptop.note('Other');
        await settle();
        laptop.store.supersedeMemories([one], other, laptop.now());
        await settle();
        laptop.store.supersedeMemories([other], one, laptop.now());
        await settle();
        expectEqual();
        expect(findByTitle(laptop, 'One')?.supersededBy).toBeNull();
        expect(findByTitle(laptop, 'Other')?.supersededBy).toBe(one);
      });

      test('two that replace each other: one of them stays', async () => {
        laptop.note('One');
        ben.note('Other');
        await settle();
        const id = (home: TeamHome, title: string) => findByTitle(home, title)?.id ?? 0;
        laptop.store.supersedeMemories([id(laptop, 'One')], id(laptop, 'Other'), laptop.now());
        ben.store.supersedeMemories([id(ben, 'Other')], id(ben, 'One'), ben.now());
        await settle();
        expectEqual();
        for (const home of homes()) {
          const open = ['One', 'Other'].filter((title) => findByTitle(home, title)?.supersededBy === null);
          expect(open).toHaveLength(1);
        }
        // Without the later link the earlier one counts again, also on the machine that has removed it.
        const replaced = ['One', 'Other'].find((title) => findByTitle(laptop, title)?.supersededBy !== null);
        laptop.store.supersedeMemories([id(laptop, replaced ?? '')], null, laptop.now());
        await settle();
        expectEqual();
        expect(findByTitle(laptop, replaced ?? '')?.supersededBy).toBeNull();
      });
    });

    test('deleted is gone everywhere, also what was edited offline, and confirmed', async () => {
      const id = laptop.note('The password hint is a zebra', 'Zebras have stripes on their backs.');
      await settle();
      ben.store.editMemory(
        findByTitle(ben, 'The password hint is a zebra')?.id ?? 0,
        { narrative: 'late edit' },
        ben.now(),
      );
      laptop.forget(id);
      await settle();
      for (const home of homes()) {
        expect(findByTitle(home, 'The password hint is a zebra')).toBeUndefined();
        expect(
          home.store
            .listOutbox(home.projectId, teamProject(home).origin, 1, 100)
            .every(({ payload }) => !payload || !String(Buffer.from(payload)).includes('zebra')),
        ).toBe(true);
      }
      expectEqual();
    });

    test('forgotten by one who only receives, it stays with the others and does not come back', async () => {
      const reader = await makeTeamHome(await server.connect('Ben', 'ben-2'), 'Ben', 'ben-2', {
        isShared: false,
      });
      const id = laptop.note('The tram stops at the mill', 'Every ten minutes.');
      await settleHomes([...homes(), reader]);
      reader.forget(findByTitle(reader, 'The tram stops at the mill')?.id ?? 0);
      await settleHomes([...homes(), reader]);
      expect(titlesIn(ben)).toEqual(['The tram stops at the mill']);
      laptop.store.editMemory(id, { narrative: 'Every twenty minutes.' }, laptop.now());
      await settleHomes([...homes(), reader]);
      expect(findByTitle(ben, 'The tram stops at the mill')?.narrative).toBe('Every twenty minutes.');
      expect(titlesIn(reader)).toEqual([]);
      await reader.repair();
      expect(titlesIn(reader)).toEqual([]);
    });

    test('a sentence that is cut from another memory goes there too', async () => {
      laptop.note('Keep me', 'The vault code is written under the green table. Ask Carla for the rest.');
      await settle();
      const before = laptop.store.findTeamItem('memory', findByTitle(laptop, 'Keep me')?.id ?? 0)?.item;
      const gone = laptop.note('The vault code is written under the green table');
      await settle();
      laptop.store.forget(
        { memories: [gone], prompts: [], sessions: [] },
        { withSource: true, isDryRun: false },
        laptop.now(),
      );
      await settle();
      for (const home of homes())
        expect(findByTitle(home, 'Keep me')?.narrative).toBe('Ask Carla for the rest.');
      expect(laptop.store.findTeamItem('memory', findByTitle(laptop, 'Keep me')?.id ?? 0)?.item).not.toBe(
        before,
      );
      expectEqual();
    });

    test('work items: two tick different tasks, plans have versions', async () => {
      const { store, projectId } = laptop;
      const at = laptop.now();
      const work = store.addWorkItem({
        name: 'checkout',
        title: 'Checkout',
        projectId,
        branch: null,
        worktree: '/secret/worktree',
        at,
      });
      for (const subject of ['Form', 'Mail'])
        store.addTask({
          workId: work.id,
          subject,
          description: '',
          state: 'open',
          source: 'person',
          key: 'session-7:1',
          at,
        });
      store.addPlan({
        workId: work.id,
        text: '1. Form\n2. Mail',
        hash: 'x',
        state: 'accepted',
        agentSession: 'session-7',
        at,
      });
      await settle();
      const tick = (home: TeamHome, subject: string) => {
        const [found] = home.store.listWorkItems({ projectId: home.projectId, limit: 5, withTeam: true });
        const task = home.store.listTasks(found?.id ?? 0).find((each) => each.subject === subject);
        home.store.changeTask(task?.id ?? 0, { state: 'done' }, 'person', home.now());
      };
      tick(laptop, 'Form');
      tick(ben, 'Mail');
      await settle();
      expectEqual();
      const [found] = desktop.store.listWorkItems({ projectId: desktop.projectId, limit: 5, withTeam: true });
      expect(desktop.store.listTasks(found?.id ?? 0).map(({ subject, state }) => [subject, state])).toEqual([
        ['Form', 'done'],
        ['Mail', 'done'],
      ]);
      expect(desktop.store.findAcceptedPlan(found?.id ?? 0)?.text).toBe('1. Form\n2. Mail');
    });

    test('an interrupted first pull goes on where it stopped', async () => {
      for (let each = 0; each < 230; each++) laptop.note(`Fact number ${each}`);
      await laptop.synced();
      const real = ben.feed;
      let pulls = 0;
      ben.feed = {
        ...real,
        pull: async (...args) => {
          if (++pulls === 2) throw Object.assign(new Error('cut'), { name: 'Cut' });
          return real.pull(...args);
        },
      };
      await expect(ben.sync()).rejects.toThrow('cut');
      const some = describeHome(ben) as unknown[];
      expect(some.length).toBeGreaterThan(0);
      expect(some.length).toBeLessThan(230);
      ben.feed = real;
      await settle();
      expect(describeHome(ben)).toHaveLength(230);
      expectEqual();
    });

    test('a server restored from a backup gets everything again', async () => {
      laptop.note('Before the backup');
      await settle();
      const restore = await server.backUp();
      laptop.note('After the backup');
      ben.note('Also after it');
      await settle();
      laptop.note('Not sent yet');
      await restore();
      await settle();
      expectEqual();
      for (const home of homes())
        for (const title of ['Before the backup', 'After the backup', 'Also after it', 'Not sent yet'])
          expect(findByTitle(home, title)?.title).toBe(title);
      expect(describeHome(ben)).toHaveLength(4);
    });

    test('a home restored from a backup loses and doubles nothing', async () => {
      laptop.note('Early');
      await settle();
      const kept = copyHome(laptop);
      laptop.note('Made after the copy');
      await settle();
      laptop.store.close();
      laptop = kept;
      laptop.note('Made after going back');
      await settle();
      expectEqual();
      expect(describeHome(ben)).toHaveLength(3);
      expect(findByTitle(laptop, 'Made after the copy')?.title).toBe('Made after the copy');
    });

    test('a cloned home gets an origin of its own', async () => {
      laptop.note('Before the clone');
      await settle();
      const clone = copyHome(laptop);
      laptop.note('By the first');
      clone.note('By the clone');
      await laptop.synced();
      await clone.synced();
      laptop.note('By the first again');
      await settle();
      await clone.synced();
      await settle();
      expectEqual();
      expect(describeHome(clone)).toEqual(describeHome(ben));
      expect(describeHome(ben)).toHaveLength(4);
      expect(teamProject(clone).origin).not.toBe(teamProject(laptop).origin);
      clone.store.close();
    });

    test('what was not sent yet when a home was copied is shared once', async () => {
      laptop.note('Neither collected nor sent');
      const copy = copyHome(laptop);
      await settle();
      await copy.synced();
      await settle();
      expect(describeHome(ben)).toHaveLength(1);
      expect(describeHome(copy)).toEqual(describeHome(ben));
      copy.store.close();
    });

    test('a clock an hour fast does not win for an hour', async () => {
      laptop.note('Disputed');
      await settle();
      ben.skew = 3_600_000;
      const real = ben.feed;
      ben.feed = { ...real, listHeads: () => Promise.reject(new TeamError('network', 'gone')) };
      for (const narrative of ['from the future', 'from a later future']) {
        ben.store.editMemory(findByTitle(ben, 'Disputed')?.id ?? 0, { narrative }, ben.now());
        // Without the server changes get their stamps all the same.
        expect(await ben.sync()).toMatchObject({ problem: { reason: 'network' } });
      }
      ben.feed = real;
      await ben.synced();
      await laptop.synced();
      expect(findByTitle(laptop, 'Disputed')?.narrative).toBe('from a later future');
      await settle();
      laptop.store.editMemory(
        findByTitle(laptop, 'Disputed')?.id ?? 0,
        { narrative: 'the later one' },
        laptop.now(),
      );
      await settle();
      for (const home of homes()) expect(findByTitle(home, 'Disputed')?.narrative).toBe('the later one');
      expectEqual();
    });

    test('a bad change is set aside, and the feed goes on', async () => {
      laptop.note('Before');
      await laptop.synced();
      const project = teamProject(laptop);
      const [last] = laptop.store.listOutbox(project.projectId, project.origin, project.nextN - 1, 1);
      const bad = {
        ...last,
        n: project.nextN,
        item: '11111111-2222-4333-8444-555555555555',
        payload: Buffer.from('{"v":1}'),
      };
      await laptop.feed.push({
        project: project.serverId ?? 0,
        origin: project.origin,
        changes: [
          {
            ...bad,
            aspect: 'text',
            hlc: last?.hlc ?? '1',
            digest: new Uint8Array(32).fill(7),
            keyEpoch: 0,
            tokens: [],
          },
        ],
      });
      const { name: _, ...current } = teamProject(laptop);
      laptop.store.saveTeamProject({ ...current, nextN: current.nextN + 1 });
      laptop.note('After');
      await laptop.synced();
      await ben.synced();
      expect(findByTitle(ben, 'After')?.title).toBe('After');
      expect(ben.store.countTeam().aside).toBe(1);
      expect(ben.store.listAside(5)).toMatchObject([{ reason: 'bad', seq: 2 }]);
    });

    test('a home that left and joined again has everything once, and still decides about its own', async () => {
      const note = ben.note('Of Ben', 'as it was');
      const at = ben.now();
      const work = ben.store.addWorkItem({
        ...{ name: 'tax', title: 'Tax', projectId: ben.projectId, branch: null, worktree: null, at },
      });
      const task = { description: '', state: 'open', source: 'person', key: null, at } as const;
      ben.store.addTask({ ...task, workId: work.id, subject: 'Ask the office' });
      await settle();
      laptop.note('Of Anna');
      await settle();
      const before = describeHome(ben);
      const { team, epoch: _, ...known } = ben.store.getTeam() ?? expect.fail('no team');
      const { name: _name, ...project } = teamProject(ben);

      ben.store.removeTeam();
      ben.store.editMemory(note, { narrative: 'edited while away' }, ben.now());
      ben.store.saveTeam({ ...known, team, epoch: '', hlc: '0' });
      const fresh = newTeamProject({ projectId: ben.projectId, key: SHOP, isShared: true, since: ben.now() });
      ben.store.saveTeamProject({ ...fresh, serverId: project.serverId });
      await settle();

      expect(describeHome(ben)).toEqual(before);
      expect(titlesIn(ben)).toEqual(['Of Anna', 'Of Ben']);
      const { item = '' } = ben.store.findTeamItem('memory', note) ?? {};
      expect(ben.store.listEarlierTexts(item).map(({ text }) => JSON.parse(text).narrative)).toEqual([
        'edited while away',
      ]);
      const authors = ben.store.listTeamItems(ben.projectId).map(({ what, author }) => [what, author]);
      expect(authors.sort()).toEqual([
        ['memory', null],
        ['memory', 'Anna'],
        ['task', null],
        ['work-item', null],
      ]);
      expectEqual();
    });

    test('the lost answer to a push stores nothing twice', async () => {
      laptop.note('Once');
      const real = laptop.feed;
      laptop.feed = {
        ...real,
        async push(request) {
          await real.push(request);
          throw new Error('answer lost');
        },
      };
      await expect(laptop.sync()).rejects.toThrow('answer lost');
      laptop.feed = real;
      await settle();
      expect(describeHome(ben)).toHaveLength(1);
      expect(await real.listHeads()).toMatchObject({ projects: [{ key: SHOP, head: '1' }] });
    });
  });
}

function teamProject({ store, projectId }: TeamHome) {
  const project = store.listTeamProjects().find((known) => known.projectId === projectId);
  if (!project) throw new Error('The home shares nothing.');
  return project;
}
