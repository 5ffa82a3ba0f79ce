import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { TeamCredentials } from '../../src/team/server/address.ts';
import { openFeed } from '../../src/team/server/feed.ts';
import type { SyncResult } from '../../src/team/sync/sync.ts';
import { type CuttingProxy, startCuttingProxy } from '../support/cutting-proxy.ts';
import { type Postgres, startPostgres } from '../support/postgres.ts';
import { chooseSeed, type Random, randomFrom } from '../support/random.ts';
import { makeTeam } from '../support/team.ts';
import { changeAtRandom } from '../support/team-changes.ts';
import { copyHome, describeHome, makeTeamHome, settleHomes, type TeamHome } from '../support/team-home.ts';

/** The full test is `CAIRN_TEST_KILLS=50`, which takes minutes. */
const KILLS = Number(process.env.CAIRN_TEST_KILLS) || 6;
const MACHINES = 20;
const MEMBERS = 5;
const HOUR_MS = 3_600_000;

const seed = chooseSeed();

/** Homes that change and sync at the same time, and what all of them must contain in the end. */
interface Traffic {
  homes: TeamHome[];
  add(home: TeamHome): void;
  /** Replaces a home between two of its syncs, after one that sent everything. */
  replace(home: TeamHome, by: TeamHome): Promise<void>;
  stop(): Promise<void>;
  /** Why syncs failed. */
  problems: NonNullable<SyncResult['problem']>[];
  made: Set<string>;
  forgotten: Set<string>;
}

function startTraffic(random: Random, first: TeamHome[]): Traffic {
  let isOver = false;
  let step = 0;
  const loops: Promise<void>[] = [];
  const replacements = new Map<TeamHome, { by: TeamHome; done: () => void }>();
  const traffic: Traffic = {
    homes: [],
    problems: [],
    made: new Set(),
    forgotten: new Set(),
    add(home) {
      traffic.homes.push(home);
      loops.push(run(home));
    },
    replace: (home, by) => new Promise((done) => replacements.set(home, { by, done })),
    async stop() {
      isOver = true;
      await Promise.all(loops);
    },
  };
  for (const home of first) traffic.add(home);
  return traffic;

  async function run(first: TeamHome): Promise<void> {
    let home = first;
    while (!isOver) {
      const replacement = replacements.get(home);
      if (!replacement && random.chance(0.6)) changeAndNote(home);
      const { problem } = await home.sync();
      if (problem) traffic.problems.push(problem);
      else if (replacement) {
        traffic.homes.splice(traffic.homes.indexOf(home), 1, replacement.by);
        home.store.close();
        home = replacement.by;
        replacement.done();
      }
      if (random.chance(0.1)) await home.feed.close();
      await pause(random.below(3_000));
    }
  }

  function changeAndNote(home: TeamHome): void {
    changeAtRandom(
      {
        ...home,
        note(title, narrative) {
          traffic.made.add(title);
          return home.note(title, narrative);
        },
        forget(id) {
          const title = home.store.getMemory(id)?.title;
          if (title !== undefined) traffic.forgotten.add(title);
          home.forget(id);
        },
      },
      random,
      step++,
    );
  }
}

describe(`faults (CAIRN_TEST_SEED=${seed})`, () => {
  let postgres: Postgres;
  let proxy: CuttingProxy;
  const random = randomFrom(seed);

  beforeAll(async () => {
    postgres = await startPostgres({ settings: { log_statement: 'none' } });
    proxy = await startCuttingProxy(postgres.port, random);
  });
  afterAll(async () => {
    await proxy?.close();
    await postgres?.stop();
  });

  test('homes converge despite a killed server, cut connections, wrong clocks, copied homes and old backups', async () => {
    const team = await makeTeam(postgres);
    proxy.isCutting = false;
    // Joining takes long: two homes share a login.
    const logins: TeamCredentials[] = [];
    for (let at = 0; at < MACHINES / 2; at++) logins.push(await team.join(`member ${at % MEMBERS}`));
    const connect = (at: number) =>
      openFeed({ ...(logins[at % logins.length] ?? team.ada), port: proxy.port });
    const homes: TeamHome[] = [];
    for (let at = 0; at < MACHINES; at++) {
      const skew = at % 4 === 0 ? HOUR_MS : at % 4 === 1 ? -HOUR_MS : 0;
      homes.push(await makeTeamHome(connect(at), `member ${at % MEMBERS}`, `machine-${at}`, { skew }));
    }
    const copy = (at: number) => {
      const home = homes[at];
      if (!home) throw new RangeError();
      return { home, copy: Object.assign(copyHome(home), { feed: connect(at), skew: home.skew }) };
    };
    const traffic = startTraffic(random, homes);
    onTestFinished(async () => {
      await traffic.stop();
      for (const home of traffic.homes) {
        await home.feed.close();
        home.store.close();
      }
    });
    proxy.isCutting = true;
    const killSome = async (kills: number) => {
      for (let kill = 0; kill < kills; kill++) {
        await pause(200 + random.below(1_000));
        if (random.chance(0.3)) await postgres.killConnection();
        else {
          await postgres.kill();
          await postgres.start();
        }
      }
    };
    const third = Math.ceil(KILLS / 3);

    await killSome(third);
    const backups = [0, 1].map(copy);
    for (const clone of [2, 3].map(copy)) traffic.add(clone.copy);
    await killSome(third);
    proxy.isCutting = false;
    await Promise.all(backups.map(({ home, copy }) => traffic.replace(home, copy)));
    proxy.isCutting = true;
    const restore = await postgres.copyFiles();
    await killSome(KILLS - 2 * third);
    await restore();
    await pause(1_000);
    await traffic.stop();
    proxy.isCutting = false;
    for (const home of traffic.homes) await home.feed.close();
    await settleHomes(traffic.homes);
    const [expected, ...others] = traffic.homes.map(describeHome);
    for (const described of others) expect(described).toEqual(expected);
    const titles = (expected as { title?: string; narrative?: string }[])
      .filter(({ narrative }) => narrative !== undefined)
      .map(({ title }) => title);
    expect(titles.sort()).toEqual([...traffic.made].filter((title) => !traffic.forgotten.has(title)).sort());
    for (const home of traffic.homes)
      expect(home.store.countTeam()).toMatchObject({ pending: 0, marked: 0, aside: 0, refused: 0 });
    // No holes and no duplicates.
    expect(
      await postgres.ask(
        team.database,
        `SELECT count(*) FILTER (WHERE n <> row) AS holes, count(*) = max(seq) AS is_whole FROM (
             SELECT seq, n, row_number() OVER (PARTITION BY origin ORDER BY n) AS row FROM cairn.change) numbered`,
      ),
    ).toEqual([{ holes: '0', is_whole: true }]);
    // Any other problem would stop a worker until a person acts.
    expect(traffic.problems.filter(({ reason }) => !/^(?:network|busy)$/.test(reason))).toEqual([]);
    expect(proxy.cuts).toBeGreaterThan(0);
  }, 900_000);
});
