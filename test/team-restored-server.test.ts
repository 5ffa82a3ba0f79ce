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

test('a restored server is noticed although the last known change has its old number again', async () => {
  laptop.note('Before the backup');
  await settleHomes([laptop, ben, carla]);
  const restore = server.backUp();
  laptop.note('Of the laptop, lost on the server');
  await laptop.synced();
  ben.note('Of Ben, lost on the server');
  await ben.synced();
  await laptop.synced();
  restore();
  // Number 2 is now Carla's change, and number 3 is Ben's again, as before.
  carla.note('Of Carla, made meanwhile');
  await carla.synced();
  await ben.synced();
  await settleHomes([laptop, ben, carla]);
  expect(describeHome(laptop)).toHaveLength(4);
  for (const home of [ben, carla]) expect(describeHome(home)).toEqual(describeHome(laptop));
});

test('a restored server is noticed when it has as many changes as before, but different ones', async () => {
  const restore = server.backUp();
  laptop.note('Lost on the server');
  await laptop.synced();
  restore();
  ben.note('Made meanwhile');
  await ben.synced();
  expect(await laptop.synced()).toMatchObject({ pulled: 1, pushed: 1 });
});

test('a repair resends texts, edits, pins and withdrawals of a machine that no longer exists', async () => {
  ben.note('To be edited');
  ben.note('To be pinned');
  ben.note('To be withdrawn');
  await settleHomes([laptop, ben]);
  const restore = server.backUp();
  const id = (title: string) => findByTitle(ben, title)?.id ?? 0;
  ben.note('To be made');
  ben.store.editMemory(id('To be edited'), { narrative: 'edited' }, ben.now());
  ben.store.pinMemory(id('To be pinned'), ben.now());
  // The same happens when its turn is distilled again without it.
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
  // Nothing is missing any more.
  expect(await laptop.repair()).toMatchObject({ relayed: 0 });
});

describe('items that a lost machine took back, on a server restored to before that', () => {
  beforeEach(async () => {
    ben.note('To be forgotten');
    ben.note('To be unshared');
    await settleHomes([laptop, ben]);
  });

  /** Restores the server to a state with the texts and without their deletions. */
  async function restoreBefore(takeBack: () => Promise<void>): Promise<void> {
    const restore = server.backUp();
    ben.forget(findByTitle(ben, 'To be forgotten')?.id ?? 0);
    chooseMemorySharing(storeOf(ben), findByTitle(ben, 'To be unshared')?.id ?? 0, 'never');
    await ben.synced();
    await takeBack();
    restore();
    expect(server.dump()).toContain('To be forgotten');
  }

  const expectGone = () => {
    expect(server.dump()).not.toContain('To be forgotten');
    expect(server.dump()).not.toContain('To be unshared');
  };

  test('are deleted by the next sync of a machine that knows the deletions, without a repair', async () => {
    await restoreBefore(async () => void (await laptop.synced()));
    // Carla was offline, and now reads the restored texts.
    await carla.synced();
    expect(describeHome(carla)).toHaveLength(2);
    expect(await laptop.synced()).toMatchObject({ pushed: 2, relayed: 2 });
    expectGone();
    await carla.synced();
    expect(describeHome(carla)).toEqual([]);
    // The deletions are sent only once.
    expect(await laptop.synced()).toMatchObject({ pushed: 0, relayed: 0 });
    expect(await laptop.repair()).toMatchObject({ relayed: 0 });
    expect(laptop.store.countTeam()).toMatchObject({ pending: 0, aside: 0 });
  });

  test('are deleted by a machine that may write but does not share the project', async () => {
    const reader = await makeTeamHome(server.connect('Dora', 'dora-1'), 'Dora', 'dora-1', {
      isShared: false,
    });
    await reader.synced();
    await restoreBefore(async () => void (await reader.synced()));
    expect(await reader.synced()).toMatchObject({ pushed: 2, relayed: 2 });
    expectGone();
  });

  test('are deleted although a pull was interrupted', async () => {
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
    expectGone();
  });

  test('are not sent by a repair of a machine that still has the text', async () => {
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
