import { afterAll, afterEach, beforeAll } from 'vitest';
import type { TeamFeed } from '../../src/team/feed.ts';
import { openFeed } from '../../src/team/server/feed.ts';
import { type Postgres, startPostgres } from '../support/postgres.ts';
import { makeTeam } from '../support/team.ts';
import { teamStories } from '../team-stories.contract.ts';

let postgres: Postgres;
const feeds: TeamFeed[] = [];

beforeAll(async () => {
  postgres = await startPostgres();
});

afterEach(closeFeeds);

afterAll(async () => {
  await postgres?.stop();
});

async function closeFeeds(): Promise<void> {
  for (const feed of feeds) await feed.close();
}

teamStories('PostgreSQL', async () => {
  const team = await makeTeam(postgres);
  return {
    async connect(member) {
      const feed = openFeed(await team.join(member));
      feeds.push(feed);
      return feed;
    },
    async backUp() {
      const copy = `${team.database}_backup`;
      await closeFeeds();
      await postgres.ask('postgres', `CREATE DATABASE ${copy} TEMPLATE ${team.database}`);
      return async () => {
        await closeFeeds();
        await postgres.ask('postgres', `DROP DATABASE ${team.database} WITH (FORCE)`);
        await postgres.ask('postgres', `CREATE DATABASE ${team.database} TEMPLATE ${copy}`);
      };
    },
  };
});
