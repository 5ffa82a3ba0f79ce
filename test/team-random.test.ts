import { describe, expect, test } from 'vitest';
import { TeamError, type TeamFeed } from '../src/team/feed.ts';
import { createMemoryServer } from './support/memory-feed.ts';
import { chooseSeed, type Random, randomFrom } from './support/random.ts';
import { changeAtRandom } from './support/team-changes.ts';
import { describeHome, makeTeamHome, settleHomes, type TeamHome } from './support/team-home.ts';

const RUNS = 5;
const STEPS = 60;

const first = chooseSeed();
describe('random changes on three homes, synced in random order with faults', () => {
  test.each(Array.from({ length: RUNS }, (_, run) => first + run))(
    'leave all homes equal (CAIRN_TEST_SEED=%d)',
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
        else changeAtRandom(home, random, step);
      }
      isFaulty.now = false;
      await settleHomes(homes);
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

/** Fails at random, before or after the server has handled the call. */
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
