import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runSession } from '../support/claude-code.ts';
import { type Postgres, startPostgres } from '../support/postgres.ts';
import { until } from '../support/until.ts';
import { cairn, makeConnectedWorld, runIn, type World } from '../support/world.ts';

/** Two machines of two members, each with the real client: one session starts with what the other one learned. */

const REMOTE = 'git@git.example.com:team/orchard.git';
const LEARNED =
  'The orchard server must listen on 7070, because the sprinkler firmware has that port built in and cannot be changed.';

let postgres: Postgres;
let anna: World;
let ben: World;

beforeAll(async () => {
  postgres = await startPostgres();
  [anna, ben] = [await makeConnectedWorld(), await makeConnectedWorld()];
  for (const world of [anna, ben]) {
    await runIn(world, 'git', ['remote', 'add', 'origin', REMOTE]);
    // The very first session only gets a welcome.
    writeFileSync(join(world.home, '.cairn/state/welcomed'), '');
  }
});

afterAll(async () => {
  await Promise.all([anna, ben].map((world) => world?.remove()));
  await postgres?.stop();
});

test('the first request of one member contains a memory from a session of the other', async () => {
  const url = join(anna.root, 'url');
  writeFileSync(url, postgres.adminUrl('orchard'));
  await cairn(anna, 'remember', 'The gardener speaks French');
  await cairn(anna, 'team', 'create', url, '--name', 'Anna', '--machine', 'laptop');
  await cairn(anna, 'team', 'share', '--yes');
  await runSession(anna, {
    script: { main: [[{ text: LEARNED }]] },
    prompts: ['Which port does the server use, and why?'],
  });
  await until('the memory of the session', async () =>
    (await cairn(anna, 'recent')).includes('7070') ? true : undefined,
  );
  await cairn(anna, 'team', 'sync');

  const link = join(ben.root, 'link');
  writeFileSync(link, await cairn(anna, 'team', 'invite', 'Ben', '--url', url));
  // Nothing was captured in Ben's clone yet: its remote identifies the project.
  expect(await cairn(ben, 'team', 'join', link, '--machine', 'desk')).toMatch(/Received [1-9]/);
  const { requests } = await runSession(ben, {
    script: { main: [[{ text: 'Good morning.' }]] },
    prompts: ['hello'],
  });
  const first = JSON.stringify(requests.find(({ queue }) => queue === 'main')?.body);
  expect(first).toContain('sprinkler firmware');
  expect(first).toContain('from Anna');
  // It is from before the project was shared.
  expect(first).not.toContain('speaks French');
});
