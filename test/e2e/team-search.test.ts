import { afterAll, afterEach, beforeAll } from 'vitest';
import type { TeamFeed } from '../../src/team/feed.ts';
import { openFeed } from '../../src/team/server/feed.ts';
import { type Postgres, startPostgres } from '../support/postgres.ts';
import { makeTeam } from '../support/team.ts';
import { teamSearchContract } from '../team-search.contract.ts';

let postgres: Postgres;
const feeds: TeamFeed[] = [];

beforeAll(async () => {
  postgres = await startPostgres();
});
afterEach(async () => {
  for (const feed of feeds.splice(0)) await feed.close();
});
afterAll(async () => {
  await postgres?.stop();
});

teamSearchContract('PostgreSQL', async () => {
  const team = await makeTeam(postgres);
  return async (member) => {
    const feed = openFeed(await team.join(member));
    feeds.push(feed);
    return feed;
  };
});
