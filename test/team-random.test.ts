import { describe, expect, test } from 'vitest';
import { TeamError, type TeamFeed } from '../src/team/feed.ts';
import { createMemoryServer } from './support/memory-feed.ts';
import { chooseSeed, type Random, randomFrom } from './support/random.ts';
import { describeHome, makeTeamHome, type TeamHome } from './support/team-home.ts';

const RUNS = 5;
const STEPS = 60;

const first = chooseSeed();
describe('random changes on three homes, in random order, with faults', () => {
  test.each(Array.from({ length: RUNS }, (_, run) => first + run))(
    'end equal everywhere (CAIRN_TEST_SEED=%d)',
    async (seed) => {
      const random = randomFrom(seed);
      const server = createMemoryServer();
      const homes: TeamHome[] = [];
      for (const [member, machine] of [
        ['Anna', 'laptop'],
        ['Anna', 'desktop'],
        ['Ben', 'ben-1'],
      ] as const)
        homes.push(await makeTeamHome(breakable(server.connect(member, machine), random), member, machine));
      const [some, ...others] = homes;
      if (!some) throw new Error('There is no home.');
      let restore = server.backUp();
      for (let step = 0; step < STEPS; step++) {
        const home = random.oneOf([some, ...others]);
        if (random.chance(0.04)) restore = server.backUp();
        if (random.chance(0.03)) restore();
        if (random.chance(0.05)) home.skew = (random.below(5) - 2) * 1_000_000;
        if (random.chance(0.4)) await home.sync().catch(expectFault);
        else change(home, random, step);
      }
      isFaulty.now = false;
      await settle(homes);
      const [expected, ...rest] = homes.map(describeHome);
      for (const described of rest) expect(described).toEqual(expected);
      for (const home of homes)
        expect(home.store.countTeam()).toMatchObject({ pending: 0, marked: 0, aside: 0 });
      isFaulty.now = true;
    },
    120_000,
  );
});

const isFaulty = { now: true };

async function settle(homes: TeamHome[]): Promise<void> {
  for (let round = 0; round < 12; round++) {
    let moved = 0;
    for (const home of homes) {
      const { pulled, pushed } = await home.synced();
      moved += pulled + pushed;
    }
    if (moved === 0) return;
  }
  throw new Error('The homes do not come to rest.');
}

function change(home: TeamHome, random: Random, step: number): void {
  const { store, projectId } = home;
  const shared = store
    .listTeamItems(projectId)
    .flatMap(({ what, rowId, isDead }) => (isDead || rowId === null ? [] : [{ what, rowId }]));
  const pick = (wanted: string) => {
    const rows = shared.filter(({ what }) => what === wanted).map(({ rowId }) => rowId);
    return rows[random.below(Math.max(1, rows.length))];
  };
  const memory = pick('memory');
  const at = home.now();
  switch (random.below(9)) {
    case 0:
    case 1:
      home.note(
        `Thought number ${step} of ${home.machine}`,
        `It is about subject ${random.below(1_000)} and nothing else.`,
      );
      return;
    case 2:
      if (memory) store.editMemory(memory, { narrative: `Edited in step ${step} on ${home.machine}.` }, at);
      return;
    case 3:
      if (memory) store.pinMemory(memory, random.chance(0.5) ? at : null);
      return;
    case 4: {
      const by = pick('memory');
      if (memory && by && by !== memory)
        store.supersedeMemories([memory], random.chance(0.7) ? by : null, at);
      return;
    }
    case 5:
      if (memory && random.chance(0.5)) home.forget(memory);
      return;
    case 6: {
      const work = store.addWorkItem({
        name: `work-${random.below(3)}`,
        title: `Work of step ${step}`,
        projectId,
        branch: null,
        worktree: null,
        at,
      });
      store.addTask({
        workId: work.id,
        subject: `Task of step ${step}`,
        description: '',
        state: 'open',
        source: 'person',
        key: null,
        at,
      });
      return;
    }
    case 7: {
      const task = pick('task');
      if (task)
        store.changeTask(task, { state: random.oneOf(['open', 'doing', 'done', 'dropped']) }, 'person', at);
      return;
    }
    case 8: {
      const work = pick('work-item');
      if (work)
        store.changeWorkItem(
          work,
          { nextSteps: `Go on with step ${step}.`, closedAt: random.chance(0.3) ? at : null },
          at,
        );
    }
  }
}

/** Fails now and then, before the server has done it or after. */
function breakable(feed: TeamFeed, random: Random): TeamFeed {
  const fault = () => {
    if (isFaulty.now && random.chance(0.12)) throw new TeamError('network', 'The connection is cut.');
  };
  const broken =
    <Args extends unknown[], Answer>(call: (...args: Args) => Promise<Answer>) =>
    async (...args: Args) => {
      fault();
      const answer = await call(...args);
      fault();
      return answer;
    };
  return {
    listHeads: feed.listHeads,
    openProject: broken(feed.openProject),
    push: broken(feed.push),
    pull: broken(feed.pull),
    open: feed.open,
    confirm: broken(feed.confirm),
    claim: broken(feed.claim),
    search: feed.search,
    readTexts: feed.readTexts,
    close: feed.close,
  };
}

function expectFault(error: unknown): void {
  if (!(error instanceof TeamError)) throw error;
}
