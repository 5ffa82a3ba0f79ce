import { beforeEach, describe, expect, test } from 'vitest';
import type { Store } from '../src/store/store.ts';
import { TeamError } from '../src/team/feed.ts';
import { chooseMemorySharing } from '../src/team/sync/share.ts';
import { createMemoryServer, type MemoryServer } from './support/memory-feed.ts';
import { describeHome, findByTitle, makeTeamHome, settleHomes, type TeamHome } from './support/team-home.ts';

let server: MemoryServer;
let laptop: TeamHome;
let ben: TeamHome;
let carla: TeamHome;

beforeEach(async () => {
  server = createMemoryServer();
  laptop = await makeTeamHome(server.connect('Anna', 'laptop'), 'Anna', 'laptop');
  ben = await makeTeamHome(server.connect('Ben', 'ben-1'), 'Ben', 'ben-1');
  carla = await makeTeamHome(server.connect('Carla', 'carla-1'), 'Carla', 'carla-1');
});

test('others have filled its numbers, and the last change is the same again', async () => {
  laptop.note('Before the backup');
  await settleHomes([laptop, ben, carla]);
  const restore = server.backUp();
  laptop.note('Of the laptop, lost on the server');
  await laptop.synced();
  ben.note('Of Ben, lost on the server');
  await ben.synced();
  await laptop.synced();
  restore();
  // The second number is Carla's now, and the third one Ben's change again, as before.
  carla.note('Of Carla, made meanwhile');
  await carla.synced();
  await ben.synced();
  await settleHomes([laptop, ben, carla]);
  expect(describeHome(laptop)).toHaveLength(4);
  for (const home of [ben, carla]) expect(describeHome(home)).toEqual(describeHome(laptop));
});

test('as many changes as before, but other ones, are noticed without a new one', async () => {
  const restore = server.backUp();
  laptop.note('Lost on the server');
  await laptop.synced();
  restore();
  ben.note('Made meanwhile');
  await ben.synced();
  expect(await laptop.synced()).toMatchObject({ pulled: 1, pushed: 1 });
});

test('what a machine made that is gone is sent again by a repair: texts, edits, pins and withdrawals', async () => {
  ben.note('To be edited');
  ben.note('To be pinned');
  ben.note('To be withdrawn');
  await settleHomes([laptop, ben]);
  const restore = server.backUp();
  const id = (title: string) => findByTitle(ben, title)?.id ?? 0;
  ben.note('To be made');
  ben.store.editMemory(id('To be edited'), { narrative: 'edited' }, ben.now());
  ben.store.pinMemory(id('To be pinned'), ben.now());
  // As when its turn is distilled again without it.
  ben.store.removeSharedRow('memory', id('To be withdrawn'));
  await settleHomes([laptop, ben]);
  restore();
  await laptop.synced();
  await carla.synced();
  expect(describeHome(carla)).not.toEqual(describeHome(laptop));
  expect(findByTitle(carla, 'To be withdrawn')).toBeDefined();
  expect(await laptop.repair()).toMatchObject({ relayed: 4, sync: { problem: null } });
  await settleHomes([laptop, carla]);
  expect(describeHome(carla)).toEqual(describeHome(laptop));
  expect(describeHome(carla)).toHaveLength(3);
  expect(laptop.store.countTeam()).toMatchObject({ pending: 0, aside: 0 });
  // Nothing is missing now.
  expect(await laptop.repair()).toMatchObject({ relayed: 0 });
});

describe('what was taken back and is on the server again, when the machine that took it back is gone', () => {
  beforeEach(async () => {
    ben.note('To be forgotten');
    ben.note('To be unshared');
    await settleHomes([laptop, ben]);
  });

  /** The server has the texts again, and neither deletion. */
  async function restoreBefore(takeBack: () => Promise<void>): Promise<void> {
    const restore = server.backUp();
    ben.forget(findByTitle(ben, 'To be forgotten')?.id ?? 0);
    chooseMemorySharing(storeOf(ben), findByTitle(ben, 'To be unshared')?.id ?? 0, 'never');
    await ben.synced();
    await takeBack();
    restore();
    expect(server.dump()).toContain('To be forgotten');
  }

  const isGone = () => {
    expect(server.dump()).not.toContain('To be forgotten');
    expect(server.dump()).not.toContain('To be unshared');
  };

  test('is deleted again by the next sync of a machine that knows it, without a repair', async () => {
    await restoreBefore(async () => void (await laptop.synced()));
    // A machine that was away, and reads what the server has again.
    await carla.synced();
    expect(describeHome(carla)).toHaveLength(2);
    expect(await laptop.synced()).toMatchObject({ pushed: 2, relayed: 2 });
    isGone();
    await carla.synced();
    expect(describeHome(carla)).toEqual([]);
    // Sent once, and known to all.
    expect(await laptop.synced()).toMatchObject({ pushed: 0, relayed: 0 });
    expect(await laptop.repair()).toMatchObject({ relayed: 0 });
    expect(laptop.store.countTeam()).toMatchObject({ pending: 0, aside: 0 });
  });

  test('also by a machine that only reads the project, but may write', async () => {
    const reader = await makeTeamHome(server.connect('Dora', 'dora-1'), 'Dora', 'dora-1', {
      isShared: false,
    });
    await reader.synced();
    await restoreBefore(async () => void (await reader.synced()));
    expect(await reader.synced()).toMatchObject({ pushed: 2, relayed: 2 });
    isGone();
  });

  test('also when the reading was interrupted', async () => {
    for (let at = 0; at < 250; at++) laptop.note(`Filler ${at}`);
    await laptop.synced();
    await restoreBefore(async () => void (await laptop.synced()));
    const { feed } = laptop;
    let pulls = 0;
    laptop.feed = {
      ...feed,
      pull(...request) {
        if (++pulls > 2) throw new TeamError('network', 'cut');
        return feed.pull(...request);
      },
    };
    expect((await laptop.sync()).problem).toMatchObject({ reason: 'network' });
    laptop.feed = feed;
    expect(await laptop.synced()).toMatchObject({ relayed: 2 });
    isGone();
  });

  test('a repair of a machine that still has the text does not bring it back', async () => {
    await carla.synced();
    const restore = server.backUp();
    ben.forget(findByTitle(ben, 'To be forgotten')?.id ?? 0);
    await ben.synced();
    await laptop.synced();
    restore();
    await carla.repair();
    await settleHomes([laptop, carla]);
    await carla.repair();
    await settleHomes([laptop, carla]);
    expect(server.dump()).not.toContain('To be forgotten');
    expect(findByTitle(carla, 'To be forgotten')).toBeUndefined();
  });
});

function storeOf(home: TeamHome): Store {
  return home.store as unknown as Store;
}
