import { expect, onTestFinished, test } from 'vitest';
import type { TeamFeed } from '../../src/team/feed.ts';
import { openFeed } from '../../src/team/server/feed.ts';
import { startPostgres } from '../support/postgres.ts';
import { mountSmallDisk, type SmallDisk } from '../support/small-disk.ts';
import { makeTeam } from '../support/team.ts';
import { describeHome, makeTeamHome, settleHomes, type TeamHome } from '../support/team-home.ts';

const SERVER_DISK = '160m';
const HOME_DISK = '6m';

function mountDisk(size: string): SmallDisk {
  const disk = mountSmallDisk(size);
  if (!disk) throw new Error('There is no right to mount a disk.');
  return disk;
}

const canMount = (() => {
  const disk = mountSmallDisk();
  disk?.remove();
  return disk !== null;
})();

/** Two members; the server and the first member have small disks. */
async function makeSmallTeam(): Promise<{
  postgres: Awaited<ReturnType<typeof startPostgres>>;
  disks: { server: SmallDisk; home: SmallDisk };
  anna: TeamHome;
  ben: TeamHome;
}> {
  const disks = { server: mountDisk(SERVER_DISK), home: mountDisk(HOME_DISK) };
  const settings = { wal_level: 'minimal', max_wal_senders: '0', min_wal_size: '32MB', max_wal_size: '32MB' };
  const postgres = await startPostgres({ folder: disks.server.folder, settings });
  const feeds: TeamFeed[] = [];
  const homes: TeamHome[] = [];
  onTestFinished(async () => {
    for (const home of homes) home.store.close();
    for (const feed of feeds) await feed.close();
    await postgres.kill();
    disks.server.remove();
    disks.home.remove();
  });
  const team = await makeTeam(postgres);
  const add = async (member: string, options: { folder?: string } = {}) => {
    const feed = openFeed(await team.join(member));
    feeds.push(feed);
    const home = await makeTeamHome(feed, member, `machine of ${member}`, options);
    homes.push(home);
    return home;
  };
  return { postgres, disks, anna: await add('Anna', { folder: disks.home.folder }), ben: await add('Ben') };
}

test.skipIf(!canMount)('a full disk of server or machine loses and duplicates nothing', async () => {
  const { postgres, disks, anna, ben } = await makeSmallTeam();
  let made = 0;
  const write = (home: TeamHome, notes: number) => {
    for (let note = 0; note < notes; note++)
      home.note(`Note ${++made}`, `${made} `.repeat(2_000).slice(0, 8_000));
  };
  write(ben, 20);
  await settleHomes([anna, ben]);

  disks.server.fill();
  write(ben, 150);
  const refused = await ben.sync();
  // “busy” is retried later; a server that cannot write its log exits, which is a network problem.
  expect(refused.problem?.reason).toMatch(/^(?:busy|network)$/);
  disks.server.free();
  await postgres.start();

  disks.home.fill();
  await expect(ben.synced()).resolves.toMatchObject({ problem: null });
  await expect(anna.sync()).rejects.toMatchObject({ code: 'full-disk' });
  disks.home.free();
  await settleHomes([anna, ben]);
  expect(describeHome(anna)).toHaveLength(made);
  expect(describeHome(anna)).toEqual(describeHome(ben));
  for (const home of [anna, ben])
    expect(home.store.countTeam()).toMatchObject({ pending: 0, marked: 0, aside: 0, refused: 0 });
});
