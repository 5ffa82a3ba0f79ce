import { beforeEach, expect, test } from 'vitest';
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

test('what a machine made that is gone is sent again by a repair: texts, edits, pins and deletions', async () => {
  ben.note('To be edited');
  ben.note('To be pinned');
  ben.note('To be deleted');
  await settleHomes([laptop, ben]);
  const restore = server.backUp();
  const id = (title: string) => findByTitle(ben, title)?.id ?? 0;
  ben.note('To be made');
  ben.store.editMemory(id('To be edited'), { narrative: 'edited' }, ben.now());
  ben.store.pinMemory(id('To be pinned'), ben.now());
  ben.forget(id('To be deleted'));
  await settleHomes([laptop, ben]);
  restore();
  await laptop.synced();
  await carla.synced();
  expect(describeHome(carla)).not.toEqual(describeHome(laptop));
  expect(await laptop.repair()).toMatchObject({ relayed: 4, sync: { problem: null } });
  await settleHomes([laptop, carla]);
  expect(describeHome(carla)).toEqual(describeHome(laptop));
  expect(describeHome(carla)).toHaveLength(3);
  expect(laptop.store.countTeam()).toMatchObject({ pending: 0, aside: 0 });
  expect(server.dump()).not.toContain('To be deleted');
  // Nothing is missing now.
  expect(await laptop.repair()).toMatchObject({ relayed: 0 });
});
